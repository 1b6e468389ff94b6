import {
  breakerNames,
  breakersOf,
  checkBreakers,
  recordOutcome,
  type CallOfModel,
  type ModelOutcome,
  type PinnedModel,
} from '@outdial/calls';
import { limitsOf, lineOf, newAccountId, newCallId, newReservationId, openGate } from '@outdial/calls/testing';
import { agentIdSchema, micros, type CallId } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { standingClock } from '../test/standing-clock.ts';
import { gateUnderTest } from '../test/stores.ts';
import { TOKEN } from '../test/trunk-fixture.ts';
import { createBreakers, createGate, createLineGate } from './index.ts';

const under = gateUnderTest();
const logger = createLogger({ name: 'test', level: 'silent' });
const customer = (): CallOfModel => ({
  accountId: newAccountId(),
  agentId: agentIdSchema.parse(randomUUID()),
  agentVersion: 1,
});
const [a, b, c] = [customer(), customer(), customer()];
const OPERATORS: PinnedModel = {
  component: 'llm',
  provider: 'openai',
  model: 'gpt:5 mini',
  credentialId: randomUUID(),
  isOwn: false,
  isFallback: false,
};
const OWN: PinnedModel = { ...OPERATORS, credentialId: randomUUID(), isOwn: true };

/** Several workers on one Redis, whose time stands still unless a test lets it pass. */
function stage() {
  const clock = standingClock(under.redis);
  const workers = [1, 2, 3].map(() => createBreakers({ redis: clock.client }));
  const [gate, lines] = [createGate({ redis: clock.client }), createLineGate({ redis: clock.client })];
  let [turn, isRejected] = [0, false];
  const isKeyRejected = async () => isRejected;
  const worker = () => workers[(turn += 1) % workers.length] ?? createBreakers({ redis: clock.client });

  async function uses(call: CallOfModel, outcome: ModelOutcome, times = 1, model = OPERATORS, callId = newCallId()) {
    for (let count = 0; count < times; count += 1)
      await recordOutcome({ breakers: worker(), logger, isKeyRejected }, { callId, call, model, outcome });
  }
  /** Whether a new call of the account gets a line for the model. */
  async function gets(call: CallOfModel, model = OPERATORS): Promise<CallId | null> {
    const [callId, { accountId }] = [newCallId(), call];
    await gate.reserve({ callId, accountId, reservationId: newReservationId(), holdMicros: micros(1) });
    const line = lineOf(model.credentialId, 1_000, { breakers: breakerNames(breakersOf(model, call)) });
    const outcome = await lines.acquire({ callId, trunks: [], lines: [line] });
    await clock.pass(1);
    return outcome.kind === 'acquired' ? callId : null;
  }
  async function start(): Promise<void> {
    await clock.start();
    await openGate(gate, { accounts: [a, b, c].map(({ accountId }) => limitsOf(accountId, { capacity: 1_000 })) });
    await lines.restore(TOKEN, []);
  }
  const check = (result: 'reachable' | 'unreachable') =>
    checkBreakers({ breakers: worker(), checkCredential: async () => result, logger });
  return {
    start,
    uses,
    gets,
    check,
    pass: (durationMs: number) => clock.pass(durationMs),
    worker,
    rejectKey: () => void (isRejected = true),
  };
}

let world: ReturnType<typeof stage>;
beforeEach(async () => {
  world = stage();
  await world.start();
});

describe('a neighbor on the operator’s credential still gets lines', () => {
  test('when an account sends bad requests; only that version of its agent is held back', async () => {
    await world.uses(a, 'rejected', 50);
    expect(await world.gets(b)).not.toBeNull();
    expect(await world.gets(a)).toBeNull();
    expect(await world.gets({ ...a, agentVersion: 2 })).not.toBeNull();
  });

  test('when an account causes a flood of 429s; only that account is held back', async () => {
    await world.uses(a, 'fault', 200);
    expect(await world.gets(b)).not.toBeNull();
    expect(await world.gets(a)).toBeNull();
    // Nor with a coincidence of the neighbor's.
    await world.uses(b, 'fault');
    expect(await world.gets(b)).not.toBeNull();
  });

  test('when the credential of an account’s own fails, wherever it leads', async () => {
    await world.uses(a, 'fault', 50, OWN);
    expect(await world.gets(a, OWN)).toBeNull();
    expect(await world.gets(a)).not.toBeNull();
    expect(await world.gets(b)).not.toBeNull();
  });

  test('when two others fail, while the model works for it', async () => {
    await world.uses(c, 'success', 6);
    await world.uses(a, 'fault', 100);
    await world.uses(b, 'fault', 2);
    expect(await world.gets(c)).not.toBeNull();
  });

  test('when running calls of others go on failing after an outage', async () => {
    await down();
    await world.pass(15_000);
    await world.check('reachable');
    await world.uses(a, 'fault', 50);
    expect(await world.gets(c)).not.toBeNull();
  });

  test('when another account’s call was let through first and has failed again', async () => {
    await down();
    await world.pass(15_000);
    await world.check('reachable');
    const probe = await world.gets(a);
    if (probe) await world.uses(a, 'fault', 1, OPERATORS, probe);
    await world.pass(30_000);
    await world.check('reachable');
    expect(await world.gets(a)).toBeNull();
    const next = await world.gets(c);
    if (next) await world.uses(c, 'success', 1, OPERATORS, next);
    expect(await world.gets(c)).not.toBeNull();
  });
});

/** With three faults of each of two accounts, as no account's own breaker opens of three. */
async function down(): Promise<void> {
  for (const call of [a, b]) await world.uses(call, 'fault', 3);
}

describe('an outage of a provider', () => {
  test('that two accounts see closes the line for all, and for no other model or credential', async () => {
    await down();
    expect(await world.gets(c)).toBeNull();
    expect(await world.gets(c, { ...OPERATORS, model: 'gpt-5' })).not.toBeNull();
    expect(await world.gets(c, OWN)).not.toBeNull();
  });

  test('lets one call through after a check, which decides for all', async () => {
    await down();
    await world.pass(15_000);
    expect(await world.gets(c)).toBeNull();
    await world.check('reachable');
    const probe = await world.gets(c);
    expect(probe).not.toBeNull();
    expect(await world.gets(b)).toBeNull();
    if (probe) await world.uses(c, 'success', 1, OPERATORS, probe);
    expect(await world.gets(b)).not.toBeNull();
    expect(await world.worker().open()).toEqual([]);
  });

  test('goes on, for twice as long, when the check reaches nothing', async () => {
    await down();
    await world.pass(15_000);
    await world.check('unreachable');
    expect(await world.worker().open()).toMatchObject([{ streak: 2, forMs: 30_000 }]);
    expect(await world.gets(c)).toBeNull();
  });

  test('a call whose request is refused gives way to the next one', async () => {
    await down();
    await world.pass(15_000);
    await world.check('reachable');
    const probe = await world.gets(a);
    if (probe) await world.uses(a, 'rejected', 1, OPERATORS, probe);
    expect(await world.gets(c)).not.toBeNull();
  });
});

test('a key that the provider rejects opens no breaker: once it is rotated, the agents that met it are called at once', async () => {
  world.rejectKey();
  await world.uses(a, 'rejected', 50);
  await world.uses(b, 'rejected', 50);
  expect(await world.worker().open()).toEqual([]);
  expect(await world.gets(a)).not.toBeNull();
});

test('a model that works opens again for an account that was held back alone', async () => {
  await world.uses(a, 'fault', 5, OWN);
  await world.pass(15_000);
  await world.check('reachable');
  const probe = await world.gets(a, OWN);
  if (probe) await world.uses(a, 'success', 1, OWN, probe);
  for (let count = 0; count < 3; count += 1) expect(await world.gets(a, OWN)).not.toBeNull();
});
