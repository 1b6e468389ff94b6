import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { removeDataFolder } from '@outdial/local-stores';
import { freePort, testStores } from '@outdial/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { demoSchema, type Demo } from '../src/instance/demo-file.ts';
import { createApiClient } from '../src/start/api-client.ts';
import { runAdmin } from '../src/admin/run-admin.ts';
import { startProduct, type StartedProduct } from './started-product.ts';

/** Stores are set up, two services are compiled, and a call is had. */
const LIMIT_MS = 600_000;

let dataDir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outdial-start-'));
  env = {
    OUTDIAL_DATA_DIR: dataDir,
    PORT: String(await freePort()),
    OUTDIAL_CARRIER: 'simulated',
    OUTDIAL_SIMULATED_SPEED: '10',
  };
});
afterAll(() => removeDataFolder(dataDir));

const launched: StartedProduct[] = [];
function launch(...input: Parameters<typeof startProduct>): StartedProduct {
  const product = startProduct(...input);
  launched.push(product);
  return product;
}
// A failed test leaves its product running: what it was started by takes all of it along.
afterEach(async () => {
  for (const product of launched.splice(0)) {
    product.signal('SIGTERM');
    await product.ended;
  }
});

const readDemoFile = async (): Promise<Demo> =>
  demoSchema.parse(JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8')));

/** The lines of the call's states, without their times. */
const statesOf = (output: string) =>
  [...output.matchAll(/^ {2}✓ (queued|dialing|ringing|in_progress|ended) /gm)].map((match) => match[1]);

/** As a client is told to: an answer of 503 is asked again, under the same idempotency key. */
async function createCall(demo: Demo) {
  const api = createApiClient({ baseUrl: demo.base_url, apiKey: demo.api_key, clock: systemClock });
  const { agent_id, from_number } = demo;
  return api.createCall({ to_number: '+12025550101', agent_id, from_number }, randomUUID());
}

/** As the dashboard's page does. */
async function signIn({ dashboard_url: url, email, password }: Demo): Promise<number> {
  const response = await fetch(`${url}api/dashboard/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: new URL(url).origin },
    body: JSON.stringify({ email, password }),
  });
  return response.status;
}

describe('npm start on a machine without stores', () => {
  test(
    'sets everything up, shows a first call, tells how to place the next, and stops cleanly',
    async () => {
      const product = launch(env);
      await product.printed('Running.');
      const output = product.output();
      expect(statesOf(output)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
      const call = callSchema.parse(JSON.parse(/^\{[\s\S]*?^\}/m.exec(output)?.[0] ?? ''));
      expect(call).toMatchObject({ status: 'ended', ended_reason: 'agent_hangup', recording_status: 'available' });
      const recording = /Recording +(.*)/.exec(output)?.[1] ?? '';
      expect((await readFile(recording)).subarray(0, 4).toString()).toBe('RIFF');

      const demo = await readDemoFile();
      expect((await stat(join(dataDir, 'demo.json'))).mode & 0o777).toBe(0o600);
      expect(output).toContain(demo.api_key);
      expect(output).toContain(`Sign in       ${demo.email}, ${demo.password ?? '-'}`);
      expect(await signIn(demo)).toBe(200);
      expect(output).toContain(`curl -s ${demo.base_url}/outbound/calls`);
      expect(await createCall(demo)).toMatchObject({ owner_id: demo.account_id });
      expect(await administer(['calls', 'list', '--account', demo.account_id])).toContain(call.id);

      product.signal('SIGINT');
      expect(await product.ended).toBe(0);
      expect(await readdir(dataDir)).not.toContain('instance.json');
    },
    LIMIT_MS,
  );

  test(
    'finds its data again at the second start, places no call by itself, and makes a new key and password for a lost demo.json',
    async () => {
      const before = await readDemoFile();
      await rm(join(dataDir, 'demo.json'));
      const product = launch(env);
      await product.printed('Running.');
      const after = await readDemoFile();
      const renewed = { api_key: expect.any(String), password: expect.any(String) };
      expect(after).toEqual({ ...before, ...renewed });
      expect([after.api_key, after.password]).not.toEqual([before.api_key, before.password]);
      expect(await signIn(after)).toBe(200);
      expect(statesOf(product.output())).toEqual([]);
      expect(await createCall(after)).toMatchObject({ owner_id: before.account_id });
      const { exitCode, output } = await refusal({});
      expect([exitCode, output]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(`✗ Process \\d+ already uses the data folder ${dataDir}: stop it first, or choose another folder`),
        ),
      ]);
      product.signal('SIGTERM');
      expect(await product.ended).toBe(0);
    },
    LIMIT_MS,
  );
});

describe('npm start that has lost its key pepper', () => {
  test(
    'does not start and makes none, because keys need it; told to, it begins with new keys',
    async () => {
      const before = await readDemoFile();
      await rm(join(dataDir, 'key-pepper'));
      const { exitCode, output } = await refusal({});
      expect(exitCode).toBe(1);
      expect(output).toContain(
        `✗ The key pepper ${join(dataDir, 'key-pepper')} is missing, and the database holds API keys that work with it alone: put the file back`,
      );
      expect(await readdir(dataDir)).not.toContain('key-pepper');

      const product = launch(env, '--new-secrets');
      await product.printed('Running.');
      const after = await readDemoFile();
      expect(after.api_key).not.toBe(before.api_key);
      expect(await createCall(after)).toMatchObject({ owner_id: before.account_id });
      product.signal('SIGTERM');
      expect(await product.ended).toBe(0);
    },
    LIMIT_MS,
  );
});

test(
  'npm start with stores of the user’s own makes no demo account unless it is told to',
  async () => {
    const stores = await testStores();
    const own = { ...env, DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
    const bare = launch(own);
    await bare.printed('Running.');
    expect(bare.output()).not.toContain('API key');
    expect(await administer(['accounts', 'list', '--json'])).toContain('"accounts": []');
    bare.signal('SIGINT');
    expect(await bare.ended).toBe(0);

    const withDemo = launch(own, '--demo', '--call', '+12025550101');
    await withDemo.printed('Running.');
    expect(statesOf(withDemo.output())).toEqual(['queued', 'dialing', 'ended']);
    expect(withDemo.output()).toContain('busy, not answered, 0 USD');
    withDemo.signal('SIGINT');
    expect(await withDemo.ended).toBe(0);
    await stores.close();
  },
  LIMIT_MS,
);

test(
  'npm start over SIP starts a telephone network to call, makes it a trunk, and places the first call to it',
  async () => {
    const stores = await testStores();
    const product = launch(
      {
        ...env,
        DATABASE_URL: stores.databaseUrl,
        REDIS_URL: stores.redisUrl,
        OUTDIAL_CARRIER: undefined,
      },
      '--demo',
    );
    await product.printed('Running.');
    const output = product.output();
    expect(output).toContain('carrier sip');
    expect(statesOf(output)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
    const call = callSchema.parse(JSON.parse(/^\{[\s\S]*?^\}/m.exec(output)?.[0] ?? ''));
    expect(call).toMatchObject({ ended_reason: 'agent_hangup', sip_code: 200, recording_status: 'available' });
    expect(await administer(['trunks', 'list'])).toMatch(/callee +sip:127\.0\.0\.1/);
    product.signal('SIGINT');
    expect(await product.ended).toBe(0);
    await stores.close();
  },
  LIMIT_MS,
);

describe('npm start that cannot start', () => {
  test('says in one sentence that its port is taken', async () => {
    const server = createServer().listen(Number(env['PORT']), '127.0.0.1');
    await once(server, 'listening');
    const { exitCode, output } = await refusal({});
    server.close();
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /✗ Port \d+ is taken by another program: stop that one, or choose another port with `PORT=\d+ npm start`\.$/,
    );
  });

  test('says in one sentence that its data folder is none', async () => {
    const path = join(dataDir, 'a-file');
    await writeFile(path, '');
    const { exitCode, output } = await refusal({ OUTDIAL_DATA_DIR: path });
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      new RegExp(
        `✗ The data folder ${path} cannot be used \\(a file stands in its place\\): choose another one with OUTDIAL_DATA_DIR\\.$`,
      ),
    );
  });

  test.each([
    [
      { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/x', REDIS_URL: 'redis://:secret@127.0.0.1:1/0' },
      /✗ Redis at 127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED.*\): check REDIS_URL, or leave it out/,
    ],
    [
      { DATABASE_URL: 'postgresql://a:secret@127.0.0.1:1/x' },
      /✗ Postgres at 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED.*\): check DATABASE_URL, or leave it out/,
    ],
  ])('says which store of the user’s own does not answer, and shows no password', async (given, sentence) => {
    const { exitCode, output } = await refusal(given);
    expect(exitCode).toBe(1);
    expect(output).toMatch(sentence);
    expect(output).not.toContain('secret');
  });

  test('names a setting that it cannot use', async () => {
    const { exitCode, output } = await refusal({ PORT: 'http' });
    expect(exitCode).toBe(1);
    expect(output).toContain('PORT=http cannot be used: it must be a whole number from 1 to 65535.');
  });

  test('names settings that only its services read, before it makes anything', async () => {
    const path = join(dataDir, 'not-made');
    const given = { OUTDIAL_DATA_DIR: path, OUTDIAL_WORKER_CONCURRENCY: 'many', OUTDIAL_QUEUE_TTL_SECONDS: '1e99' };
    const { exitCode, output } = await refusal(given);
    expect(exitCode).toBe(1);
    expect(output).toMatch(
      /✗ OUTDIAL_WORKER_CONCURRENCY=many cannot be used: it must be a whole number from 1 to 20000\.$/m,
    );
    expect(output).toMatch(
      /✗ OUTDIAL_QUEUE_TTL_SECONDS=1e99 cannot be used: it must be a whole number from 1 to 86400\.$/m,
    );
    expect(await readdir(dataDir)).not.toContain('not-made');
  });

  test.each([
    [['--cal'], "unknown option '--cal'"],
    [['--call', '555'], 'must be an E.164 telephone number'],
  ])('names what is wrong with %j', async (args, message) => {
    const { exitCode, output } = await refusal({}, ...args);
    expect(exitCode).toBe(2);
    expect(output).toContain(message);
  });
});

async function refusal(given: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const product = launch({ ...env, ...given }, ...args);
  return { exitCode: await product.ended, output: product.output().trim() };
}

/** The administration, pointed at the running instance by its data folder alone. */
async function administer(args: readonly string[]): Promise<string> {
  let written = '';
  const write = (text: string) => void (written += text);
  const io = {
    env: { OUTDIAL_DATA_DIR: dataDir },
    stdin: (async function* () {})(),
    stdout: { write },
    stderr: { write },
  };
  expect({ exitCode: await runAdmin(args, io), written }).toMatchObject({ exitCode: 0 });
  return written;
}
