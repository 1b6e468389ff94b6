import { ManualClock } from '@outdial/testkit/async';
import { beforeEach, expect, test } from 'vitest';
import type { ProviderFailure } from '../../mind.ts';
import type { LanguageModel } from './language-model.ts';
import { SharedChecks } from './shared-checks.ts';

const SERVER = { address: 'https://api.example.com/v1', scope: 'internet', credential: 'sk-canary-4711' };
const DOWN: ProviderFailure = { component: 'llm', kind: 'unreachable', message: 'HTTP 503', retryAfterMs: null };

let clock: ManualClock;
let checks: SharedChecks;
/** What the provider was asked, in order. */
let asked: ((failure: ProviderFailure | null) => void)[];
beforeEach(() => {
  clock = new ManualClock();
  checks = new SharedChecks(clock);
  asked = [];
});

const model: LanguageModel = {
  check: () => new Promise((resolve) => asked.push(resolve)),
  answer: () => ({ cancel: () => undefined }),
};
const never = new AbortController().signal;

async function check(server: Partial<typeof SERVER> = {}, signal = never) {
  const shared = checks.share({ ...SERVER, ...server }, model);
  if (shared.check === undefined) throw new Error('the model is checked');
  return shared.check(signal);
}

test('calls that begin together ask the provider once, and calls of the next seconds do not ask', async () => {
  const together = [check(), check(), check()];
  asked[0]?.(null);
  expect(await Promise.all(together)).toEqual([null, null, null]);
  clock.turn(4_999);
  expect(await check()).toBeNull();
  expect(asked).toHaveLength(1);
  clock.turn(1);
  void check();
  expect(asked).toHaveLength(2);
});

test('another address, scope or credential is checked for itself', () => {
  for (const other of [{}, { address: 'https://eu.example.com/v1' }, { scope: 'allow_list' }, { credential: 'sk-2' }]) {
    void check(other);
  }
  expect(asked).toHaveLength(4);
});

test('a failure counts for the call that asked, and the others ask for themselves', async () => {
  const together = [check(), check(), check()];
  asked[0]?.(DOWN);
  expect(await together[0]).toEqual(DOWN);
  expect(asked).toHaveLength(3);
  asked[1]?.(null);
  asked[2]?.(DOWN);
  expect(await Promise.all(together)).toEqual([DOWN, null, DOWN]);
  void check();
  expect(asked).toHaveLength(4);
});

test('a call whose time is over fails by itself, and the others still share the answer', async () => {
  const limit = new AbortController();
  const [impatient, patient] = [check({}, limit.signal), check()];
  limit.abort();
  expect(await impatient).toMatchObject({ kind: 'unreachable' });
  asked[0]?.(null);
  expect(await patient).toBeNull();
  expect(asked).toHaveLength(1);
});

test('a model that cannot be checked stays as it is', () => {
  const unchecked: LanguageModel = { answer: () => ({ cancel: () => undefined }) };
  expect(checks.share(SERVER, unchecked)).toBe(unchecked);
});
