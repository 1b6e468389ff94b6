import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Demo } from '../src/instance/demo-file.ts';
import { createCall, ownFolder, statesOf, type OwnFolder } from './own-folder.ts';
import type { StartedProduct } from './started-product.ts';

/** Enough to set up stores, recover, and complete calls. */
const LIMIT_MS = 600_000;

let folder: OwnFolder;
beforeAll(async () => {
  folder = await ownFolder();
});
afterAll(() => folder.remove(), LIMIT_MS);

/** As the dashboard's page does. */
async function signIn({ dashboard_url: url, email, password }: Demo): Promise<number> {
  const response = await fetch(`${url}api/dashboard/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

async function pidIn(file: string): Promise<number> {
  const record: unknown = JSON.parse(await readFile(join(folder.dataDir, file), 'utf8'));
  return z.object({ pid: z.number() }).parse(record).pid;
}

async function refusal() {
  const product = folder.start();
  return { exitCode: await product.ended, output: product.output().trim() };
}

describe('npm start on a machine without stores', () => {
  let product: StartedProduct;
  beforeAll(async () => {
    product = folder.start();
    await product.printed('Running.');
  }, LIMIT_MS);

  test('sets everything up, shows a first call, and shows how to place the next', async () => {
    const output = product.output();
    expect(statesOf(output)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
    const call = await folder.shownCall(output);
    expect(call).toMatchObject({ status: 'ended', ended_reason: 'agent_hangup', recording_status: 'available' });
    const recording = /Recording +(.*)/.exec(output)?.[1] ?? '';
    expect((await readFile(recording)).subarray(0, 4).toString()).toBe('RIFF');

    const demo = await folder.readDemo();
    expect((await stat(join(folder.dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
    expect(output).toContain(demo.api_key);
    expect(output).toContain(`Sign in       ${demo.email}, ${demo.password ?? '-'}`);
    expect(await signIn(demo)).toBe(200);
    expect(output).toContain(`curl -s ${demo.base_url}/outbound/calls`);
    // The conversation is still on the screen: nothing long follows it.
    expect(output.slice(output.indexOf('ended         ')).split('\n').length).toBeLessThan(40);
    expect(await createCall(demo)).toMatchObject({ owner_id: demo.account_id });
    expect(await folder.administer(['calls', 'list', '--account', demo.account_id])).toContain(call.id);
  });

  test('lets an agent on a credential of the operator call a test number with one command', async () => {
    const given = ['credentials', 'call', 'simulated-openai', '--to', '+12025550105'];
    expect(await folder.administer(given)).toMatch(/^Call [-0-9a-f]{36}: callee_hangup, \d+ s, 0\.\d+ USD\.\n/);
  });

  test(
    'takes everything with it when it is killed',
    async () => {
      process.kill(await pidIn('owner.json'), 'SIGKILL');
      // Resolves once the services have ended too.
      await product.ended;
      expect(product.output()).not.toContain('Stopping');
    },
    LIMIT_MS,
  );
});

describe('npm start for the second time', () => {
  test(
    'after a crash keeps its data, places no call by itself, and creates a new key and password for a lost demo.json',
    async () => {
      const before = await folder.readDemo();
      await rm(join(folder.dataDir, 'demo.json'));
      const product = folder.startWithNpm();
      await product.printed('Running.');
      const after = await folder.readDemo();
      const renewed = { api_key: expect.any(String), password: expect.any(String) };
      expect(after).toEqual({ ...before, ...renewed });
      expect([after.api_key, after.password]).not.toEqual([before.api_key, before.password]);
      expect(await signIn(after)).toBe(200);
      expect(statesOf(product.output())).toEqual([]);
      expect(await createCall(after)).toMatchObject({ owner_id: before.account_id });
      const { exitCode, output } = await refusal();
      expect([exitCode, output]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(
            `✗ Process \\d+ already uses the data folder ${folder.dataDir}: stop it first, or choose another folder`,
          ),
        ),
      ]);

      process.kill(await pidIn('postgres/postgres.pid.json'), 'SIGKILL');
      expect(await product.ended).toBe(1);
      expect(product.output()).toMatch(
        /✗ Postgres ended \(SIGKILL\): start again; accepted calls are kept\. The last lines of .+postgres\.log:\n( {6}.+\n)+\n( +… Stopping.*\n)?(.*\n)* +✓ Stopping +done\n$/,
      );
      expect(await readdir(folder.dataDir)).not.toContain('instance.json');
    },
    LIMIT_MS,
  );
});

describe('npm start without its key pepper', () => {
  test(
    'refuses to start while keys need it, and with --new-secrets starts with new keys and places a call',
    async () => {
      const before = await folder.readDemo();
      await rm(join(folder.dataDir, 'key-pepper'));
      const { exitCode, output } = await refusal();
      expect(exitCode).toBe(1);
      expect(output).toContain(
        `✗ The key pepper ${join(folder.dataDir, 'key-pepper')} is missing, and the database holds API keys that need it: restore the file`,
      );
      expect(await readdir(folder.dataDir)).not.toContain('key-pepper');

      const product = folder.start({}, '--new-secrets', '--call', '+12025550101');
      await product.printed('Running.');
      expect(statesOf(product.output())).toEqual(['queued', 'dialing', 'ended']);
      expect(product.output()).toContain('busy, not answered, 0 USD');
      const after = await folder.readDemo();
      expect(after.api_key).not.toBe(before.api_key);
      expect(await createCall(after)).toMatchObject({ owner_id: before.account_id });
      product.signal('SIGTERM');
      expect(await product.ended).toBe(0);
    },
    LIMIT_MS,
  );
});
