import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accountIdSchema, agentIdSchema, e164Schema } from '@outdial/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dataFolderAt, type DataFolder } from './data-folder.ts';
import { readDemo, writeDemo } from './demo-file.ts';
import { readInstance, removeInstance, writeInstance } from './instance-file.ts';
import { ensureKeyPepper, findKeyPepper } from './key-pepper.ts';
import { ensureSecretKey, findSecretKey } from './secret-key.ts';

const needed = { isNeeded: async () => true, isDiscarded: false };
const notNeeded = { isNeeded: async () => false, isDiscarded: false };
const discarded = { isNeeded: async () => true, isDiscarded: true };

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

let folder: DataFolder;
beforeEach(async () => {
  folder = dataFolderAt(await mkdtemp(join(tmpdir(), 'outdial-cli-')));
});
afterEach(() => rm(folder.path, { recursive: true, force: true }));

describe('the key pepper', () => {
  test('is generated once, kept, and readable only by its owner', async () => {
    const pepper = await ensureKeyPepper(folder, {}, notNeeded);
    expect(pepper).toHaveLength(32);
    expect(await ensureKeyPepper(folder, {}, needed)).toEqual(pepper);
    expect(await modeOf(folder.keyPepperPath)).toBe(0o600);
  });

  test('in the environment takes precedence and is not written to disk', async () => {
    const hex = '0a'.repeat(32);
    expect(await ensureKeyPepper(folder, { OUTDIAL_KEY_PEPPER: hex }, needed)).toEqual(Buffer.from(hex, 'hex'));
    expect(await readdir(folder.path)).toEqual([]);
  });

  test('that is lost is replaced only when no key needs it or with --new-secrets', async () => {
    await expect(ensureKeyPepper(folder, {}, needed)).rejects.toThrow(
      `The key pepper ${folder.keyPepperPath} is missing, and the database holds API keys that need it: restore the file, set OUTDIAL_KEY_PEPPER, or discard those with \`npm start -- --new-secrets\`.`,
    );
    expect(await readdir(folder.path)).toEqual([]);
    expect(await ensureKeyPepper(folder, {}, discarded)).toHaveLength(32);
  });

  test('that is too short or damaged is rejected with what to do', async () => {
    await expect(findKeyPepper(folder, { OUTDIAL_KEY_PEPPER: 'short' })).rejects.toThrow('openssl rand -hex 32');
    await writeFile(folder.keyPepperPath, 'x');
    await expect(findKeyPepper(folder, {})).rejects.toThrow('is damaged: restore the file');
  });
});

describe('the secret key', () => {
  test('is generated once, kept, and readable only by its owner', async () => {
    const key = await ensureSecretKey(folder, {}, notNeeded);
    expect(key).toHaveLength(32);
    expect(await ensureSecretKey(folder, {}, needed)).toEqual(key);
    expect(await modeOf(folder.secretKeyPath)).toBe(0o600);
  });

  test('that is lost is replaced only when no trunk has a password or with --new-secrets', async () => {
    await expect(ensureSecretKey(folder, {}, needed)).rejects.toThrow(
      `The secret key ${folder.secretKeyPath} is missing, and the database holds sealed secrets that need it: restore the file, set OUTDIAL_SECRET_KEY, or discard those with`,
    );
    expect(await readdir(folder.path)).toEqual([]);
    expect(await ensureSecretKey(folder, {}, discarded)).toHaveLength(32);
  });

  test('in the environment takes precedence; one that is too short or damaged is rejected with what to do', async () => {
    const hex = '0a'.repeat(32);
    expect(await ensureSecretKey(folder, { OUTDIAL_SECRET_KEY: hex }, needed)).toEqual(Buffer.from(hex, 'hex'));
    expect(await readdir(folder.path)).toEqual([]);
    await expect(findSecretKey(folder, { OUTDIAL_SECRET_KEY: 'short' })).rejects.toThrow('openssl rand -hex 32');
    await writeFile(folder.secretKeyPath, 'x');
    await expect(findSecretKey(folder, {})).rejects.toThrow('is damaged: restore the file');
  });
});

describe('the instance file', () => {
  const instance = { pid: process.pid, base_url: 'http://127.0.0.1:3000/api/v1', database_url: 'd', redis_url: 'r' };

  test('shares the running instance with other programs and keeps its passwords private', async () => {
    await writeInstance(folder.instancePath, instance);
    expect(await readInstance(folder.instancePath)).toEqual(instance);
    expect(await modeOf(folder.instancePath)).toBe(0o600);
  });

  test('that a killed instance left behind is ignored', async () => {
    // No Linux or macOS machine assigns a pid this large.
    await writeInstance(folder.instancePath, { ...instance, pid: 2_147_483_646 });
    expect(await readInstance(folder.instancePath)).toBeUndefined();
  });

  test('is removed only by the process that wrote it', async () => {
    await writeInstance(folder.instancePath, instance);
    await removeInstance(folder.instancePath, process.pid + 1);
    expect(await readInstance(folder.instancePath)).toEqual(instance);
    await removeInstance(folder.instancePath, process.pid);
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('demo.json', () => {
  const demo = {
    base_url: 'http://127.0.0.1:3000/api/v1',
    api_key: 'od_live_x',
    account_id: accountIdSchema.parse('00000000-0000-4000-8000-000000000001'),
    agent_id: agentIdSchema.parse('00000000-0000-4000-8000-000000000002'),
    model_agent_id: agentIdSchema.parse('00000000-0000-4000-8000-000000000003'),
    cascade_agent_id: agentIdSchema.parse('00000000-0000-4000-8000-000000000004'),
    from_number: e164Schema.parse('+12025550199'),
    dashboard_url: 'http://127.0.0.1:3000/',
    email: 'demo@outdial.local',
    password: null,
  };

  test('is read as it was written, and readable only by its owner', async () => {
    await writeDemo(folder.demoPath, demo);
    expect(await readDemo(folder.demoPath)).toEqual(demo);
    expect(await modeOf(folder.demoPath)).toBe(0o600);
  });

  test('of a version without the dashboard is still read', async () => {
    const { dashboard_url: _url, email: _email, password: _password, ...older } = demo;
    await writeFile(folder.demoPath, JSON.stringify(older));
    expect(await readDemo(folder.demoPath)).toEqual(older);
  });

  test('of a version without agents that models conduct is still read', async () => {
    const { model_agent_id: _model, cascade_agent_id: _cascade, ...older } = demo;
    await writeFile(folder.demoPath, JSON.stringify(older));
    expect(await readDemo(folder.demoPath)).toEqual(older);
  });

  test.each(['', '{"base_url":', '{"base_url":"http://x/api/v1"}'])('that contains %j counts as lost', async (text) => {
    await writeFile(folder.demoPath, text);
    expect(await readDemo(folder.demoPath)).toBeUndefined();
  });
});
