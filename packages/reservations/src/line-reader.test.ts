import { breakerOf, lineOf, newAccountId, newCallId, newReservationId } from '@outdial/calls/testing';
import { expect, test } from 'vitest';
import { openLineGateStage } from '../test/line-gate-stage.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

/** A stage whose reader asks for two lines and their credentials. */
async function opened() {
  const stage = await openLineGateStage(under.redis);
  const [a, b] = [lineOf('a', 9, { breakers: [breakerOf('a')] }), lineOf('b', 9)];
  const accountId = newAccountId();
  async function acquired(line = a) {
    const call = { callId: newCallId(), accountId, reservationId: newReservationId() };
    await stage.hold(call.callId, accountId, call.reservationId);
    await stage.pass(1);
    expect(await stage.lines.acquire({ callId: call.callId, trunks: [], lines: [line] })).toMatchObject({
      kind: 'acquired',
    });
    return { release: () => stage.release(call.callId, accountId, call.reservationId) };
  }
  const read = () => stage.reader.read({ lines: [b.name, a.name], credentialIds: ['a'] });
  return { stage, a, b, acquired, read };
}

test('a reading has the calls of each line that was asked for, without those that are over', async () => {
  const { acquired, read } = await opened();
  const first = await acquired();
  await acquired();
  expect(await read()).toEqual({ inUse: [0, 2], lowered: [] });
  await first.release();
  expect(await read()).toEqual({ inUse: [0, 1], lowered: [] });
});

test('a reading has the lowered models of its credentials alone, until their time is over', async () => {
  const { stage, a, b, acquired, read } = await opened();
  await acquired();
  await acquired();
  await stage.lines.lower({ line: a.name, model: breakerOf('a'), forMs: 60_000 });
  await stage.lines.lower({ line: b.name, model: breakerOf('b'), forMs: 60_000 });
  expect(await read()).toMatchObject({
    lowered: [{ model: breakerOf('a'), places: 1, untilMs: expect.any(Number) }],
  });
  await stage.pass(60_000);
  expect(await read()).toMatchObject({ lowered: [] });
});

test.each(['rebuild', 'closeGate'] as const)(
  'after %s a reading is unknown, until lines are restored',
  async (change) => {
    const { stage, acquired, read } = await opened();
    await acquired();
    await stage[change]();
    expect(await read()).toBeNull();
  },
);
