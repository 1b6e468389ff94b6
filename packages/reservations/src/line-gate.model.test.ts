import type { LineGate, LineLimits, OpenBreaker, ReserveInput } from '@outdial/calls';
import {
  breakerOf,
  limitsOf,
  lineOf,
  MemoryLineGate,
  newAccountId,
  newReservationId,
  openGate,
} from '@outdial/calls/testing';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { standingClock } from '../test/standing-clock.ts';
import { gateUnderTest } from '../test/stores.ts';
import { reserved, TOKEN, trunk } from '../test/trunk-fixture.ts';
import { createBreakers, createGate, createLineGate, createTrunkChannels } from './index.ts';

const under = gateUnderTest();

const TRUNKS = [trunk('one', 1), trunk('two', 2, 50)] as const;
const BREAKERS = [breakerOf('a'), breakerOf('b')] as const;
const LINES = [
  lineOf('a', 1, { breakers: [BREAKERS[0]] }),
  lineOf('b', 2, { startsPerSecond: 20, breakers: [BREAKERS[0], BREAKERS[1]] }),
  lineOf('c', 3, { breakers: [BREAKERS[1]] }),
  lineOf('d', 2, { isShared: false }),
] as const;
const ACCOUNTS = [newAccountId(), newAccountId(), newAccountId()] as const;

/** The key of a line may be rejected at any time. */
const ASKED = [...LINES, lineOf('c', 3, { isClosed: true, breakers: [BREAKERS[1]] })] as const;

const someOf = <Item>(items: readonly Item[], minLength = 0) => fc.subarray([...items], { minLength });
const distinct = (lines: fc.Arbitrary<LineLimits[]>) =>
  lines.map((all) => all.filter(({ name }, at) => all.findIndex((one) => one.name === name) === at));
const operation = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const), account: fc.nat(2) }),
  fc.record({ kind: fc.constant('release' as const), call: fc.nat() }),
  fc.record({ kind: fc.constant('acquire' as const), call: fc.nat(), trunks: someOf(TRUNKS, 1) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('lines' as const),
      call: fc.nat(),
      trunks: someOf(TRUNKS),
      lines: distinct(someOf(ASKED)),
    }),
  },
  fc.record({
    kind: fc.constant('take' as const),
    call: fc.nat(),
    line: fc.constantFrom(...ASKED),
    late: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('change' as const),
    breaker: fc.constantFrom(...BREAKERS),
    streak: fc.nat(2),
    change: fc.oneof(
      fc.record({
        kind: fc.constant('open' as const),
        forMs: fc.nat(3_000),
        isChecked: fc.boolean(),
        owner: fc.constantFrom(null, ...ACCOUNTS),
      }),
      fc.record({ kind: fc.constantFrom('begin_check' as const, 'checked' as const, 'close' as const) }),
    ),
  }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('outcome' as const),
      breaker: fc.constantFrom(...BREAKERS),
      call: fc.nat(),
      outcome: fc.constantFrom('success' as const, 'fault' as const, 'neither' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.oneof(fc.nat(5), fc.nat(600), fc.nat(15_000)) }),
  },
  fc.record({
    kind: fc.constant('lower' as const),
    line: fc.constantFrom(...LINES),
    model: fc.constantFrom(...BREAKERS),
    forMs: fc.nat(20_000),
  }),
  fc.record({ kind: fc.constant('restore' as const) }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('free' as const), account: fc.nat(2), lines: someOf(ASKED, 1) }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

test('under random commands every outcome and every line equals those of an independent model', async () => {
  const clock = standingClock(under.redis);
  const options = { redis: clock.client };
  const [gate, lines, channels] = [createGate(options), createLineGate(options), createTrunkChannels(options)];
  const breakers = createBreakers(options);

  async function run(model: MemoryLineGate, calls: ReserveInput[], step: Operation): Promise<void> {
    // Sweeping at every command makes an exact model possible.
    await under.redis.hdel('{outdial}:trunks', 'sweptAtMs');
    await under.redis.hdel('{outdial}:credentials', 'sweptAtMs');
    if (step.kind === 'pass') return clock.pass(step.ms);
    if (step.kind === 'change') {
      const { breaker, streak, change } = step;
      const changed = await breakers.change(breaker, streak, change);
      expect(changed).toBe(await model.breakers.change(breaker, streak, change));
      return expect(sorted(await breakers.open())).toEqual(sorted(await model.breakers.open()));
    }
    if (step.kind === 'reserve') {
      const call = await reserved(gate, ACCOUNTS[step.account] ?? ACCOUNTS[0]);
      model.holds.set(call.callId, call);
      return void calls.push(call);
    }
    if (step.kind === 'free') {
      const asked = { accountId: ACCOUNTS[step.account] ?? ACCOUNTS[0], lines: step.lines };
      return expect(await sweptFree(lines, asked)).toEqual(await model.free(asked));
    }
    if (step.kind === 'lower') {
      const asked = { line: step.line.name, model: step.model, forMs: step.forMs };
      return expect(await lines.lower(asked)).toBe(await model.lower(asked));
    }
    if (step.kind === 'restore') {
      // Restoring from the model reproduces the state.
      await under.redis.hdel('{outdial}:credentials', 'token');
      const taken = calls.flatMap(({ callId, accountId, reservationId }) => {
        const own = model.lines.get(callId);
        return own ? [{ callId, accountId, reservationId, lines: [...own] }] : [];
      });
      return expect(await lines.restore(TOKEN, taken)).toBe('restored');
    }
    const call = calls[step.call % calls.length];
    if (!call) return;
    const { callId } = call;
    if (step.kind === 'outcome') {
      const seen = { breaker: step.breaker, callId, accountId: call.accountId, outcome: step.outcome };
      return expect(await breakers.record(seen)).toEqual(await model.breakers.record(seen));
    }
    switch (step.kind) {
      case 'release':
        calls.splice(calls.indexOf(call), 1);
        await gate.release(call);
        return model.release(callId);
      case 'acquire': {
        const outcome = await channels.acquire({ callId, trunks: step.trunks });
        const wanted = model.acquireChannel(callId, step.trunks);
        return expect(outcome.kind === 'acquired' ? outcome.trunk : null).toBe(wanted);
      }
      case 'lines': {
        const asked = { callId, trunks: step.trunks, lines: step.lines };
        return expect(await lines.acquire(asked)).toEqual(await model.acquire(asked));
      }
      case 'take': {
        const asked = { callId, reservationId: step.late ? newReservationId() : call.reservationId, line: step.line };
        return expect(await lines.takeLine(asked)).toEqual(await model.takeLine(asked));
      }
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 20, maxLength: 80 }), async (steps) => {
      await under.redis.flushdb();
      await clock.start();
      await openGate(gate, { accounts: ACCOUNTS.map((accountId) => limitsOf(accountId, { capacity: 1_000 })) });
      await channels.restore(TOKEN, []);
      await lines.restore(TOKEN, []);
      const model = new MemoryLineGate(clock.nowMs);
      const calls: ReserveInput[] = [];
      for (const step of steps) await run(model, calls, step);
      for (const { name } of LINES) {
        await under.redis.hdel('{outdial}:credentials', 'sweptAtMs');
        expect(model.used(name)).toBeLessThanOrEqual(LINES.find((line) => line.name === name)?.maxCalls ?? 0);
      }
    }),
    { numRuns: 40 },
  );
});

/** Places of calls that are over count until a full line is swept: the sweep comes first here. */
async function sweptFree(lines: LineGate, asked: Parameters<LineGate['free']>[0]) {
  await lines.free({ ...asked, lines: asked.lines.map((line) => ({ ...line, maxCalls: 0 })) });
  return lines.free(asked);
}

const sorted = (open: readonly OpenBreaker[]) => open.toSorted((a, b) => (a.breaker < b.breaker ? -1 : 1));
