import { randomBytes, randomUUID } from 'node:crypto';
import { credentialIdSchema, type CheckResult } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import type { CredentialRecord } from '@outdial/persistence';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { newAccountId } from '@outdial/calls/testing';
import { createKeyChecks } from './key-checks.ts';

const accountId = newAccountId();
const secretKey = randomBytes(32);

/** One credential of an account, whose provider answers with this status. */
function world({ opens = true } = {}) {
  const credential: CredentialRecord = {
    id: credentialIdSchema.parse(randomUUID()),
    accountId,
    provider: 'openai',
    name: 'main',
    baseUrl: null,
    region: null,
    limitsGroup: null,
    maxConcurrentCalls: null,
    startsPerSecond: null,
    maxGenerations: null,
    createdAtMs: 0,
    shownSuffix: '',
    rotatedAtMs: 0,
    checkedAtMs: null,
    checkResult: null,
  };
  const clock = fakeClock();
  const state = { status: 401, statusOfModel: 200, isAway: false, rotatedAtMs: 0, result: null as CheckResult | null };
  const asked: string[] = [];
  const logged: string[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'warn',
    destination: { write: (line) => void logged.push(line) },
  });
  const checks = createKeyChecks({
    credentialsOf: (owner) => ({
      async open(id) {
        if (state.isAway) throw new Error('Postgres is away');
        if (owner !== accountId || id !== credential.id) return null;
        const opened = {
          kind: 'opened',
          credential: { ...credential, checkResult: state.result, rotatedAtMs: state.rotatedAtMs },
          apiKey: 'sk-canary',
        } as const;
        return opens ? opened : { kind: 'unreadable' };
      },
      async recordCheck(checked, result) {
        state.result = result;
        return checked;
      },
    }),
    secretKey,
    egress: {
      connect: () => Promise.reject(new Error('a check of a key opens no session')),
      async request({ url }) {
        asked.push(url);
        return {
          status: url.endsWith('/models') ? state.status : state.statusOfModel,
          headers: {},
          body: Buffer.from('{}'),
          truncated: false,
        };
      },
    },
    clock,
    logger,
  });
  const key = { credentialId: credential.id, accountId };
  /** Two checks of a rejected key take 2 s. */
  async function isRejected(): Promise<boolean> {
    const isKeyRejected = checks.isRejected(key);
    await clock.advance(2_000);
    return isKeyRejected;
  }
  return { checks, key, isRejected, clock, state, asked, logged };
}

test('a key that the provider rejects closes its credential, and is logged once', async () => {
  const { clock, state, logged, isRejected } = world();
  expect(await isRejected()).toBe(true);
  expect(state.result).toBe('rejected');
  await clock.advance(60_000);
  expect(await isRejected()).toBe(true);
  expect(logged.map((line) => JSON.parse(line).event)).toEqual(['credential.rejected']);
  expect(logged.join('')).not.toContain('sk-canary');
});

test('a provider that rejects a key once closes nothing', async () => {
  const { checks, key, clock, state, asked, logged } = world();
  const isRejected = checks.isRejected(key);
  await clock.advance(1_999);
  state.status = 200;
  await clock.advance(1);
  expect(await isRejected).toBe(false);
  expect([asked.length, state.result, logged]).toEqual([2, null, []]);
});

test('a key that replaces a rejected one between two checks is not closed for one rejection', async () => {
  const { checks, key, clock, state } = world();
  const isRejected = checks.isRejected(key);
  await clock.advance(1_999);
  state.rotatedAtMs = 1_999;
  await clock.advance(1);
  expect(await isRejected).toBe(false);
  expect(state.result).toBeNull();
});

test('a model that the key may not use closes no credential', async () => {
  const { checks, key, state, logged } = world();
  Object.assign(state, { status: 200, statusOfModel: 403 });
  expect(await checks.check(key, 'gpt-4o')).toBe('no_such_model');
  expect([state.result, logged]).toEqual([null, []]);
});

test('a key that the provider accepts stays as it is, whatever a call was refused for', async () => {
  const { checks, key, state, logged } = world();
  for (const status of [200, 503]) {
    state.status = status;
    expect(await checks.isRejected(key)).toBe(false);
  }
  expect([state.result, logged]).toEqual([null, []]);
});

test('calls that are refused one after the other have the provider asked once in five seconds', async () => {
  const { checks, key, clock, state, asked } = world();
  state.status = 200;
  await Promise.all(Array.from({ length: 50 }, () => checks.isRejected(key)));
  await clock.advance(5_000);
  await checks.isRejected(key);
  expect(asked).toHaveLength(1);
  await clock.advance(1);
  await checks.isRejected(key);
  expect(asked).toHaveLength(2);
});

test('a credential that is gone, unreadable or of another account is not asked about', async () => {
  const { checks, key, asked } = world();
  expect(await checks.check({ ...key, accountId: null }, 'm')).toBeNull();
  expect(await checks.check({ ...key, credentialId: randomUUID() }, 'm')).toBeNull();
  const sealed = world({ opens: false });
  expect(await sealed.checks.check(sealed.key, 'm')).toBeNull();
  expect([asked, sealed.asked]).toEqual([[], []]);
});

test('while Postgres is away no key is taken for a rejected one', async () => {
  const { checks, key, state, logged } = world();
  state.isAway = true;
  expect(await checks.isRejected(key)).toBe(false);
  expect(logged.map((line) => JSON.parse(line).event)).toEqual(['breaker.check_failed']);
});
