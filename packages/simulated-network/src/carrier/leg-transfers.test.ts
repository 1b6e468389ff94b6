import type { TransferOutcome } from '@outdial/calls';
import { e164Schema } from '@outdial/contracts';
import { expect, it } from 'vitest';
import { dialAndTurn, openNetwork } from '../../test/network.ts';

const FRIENDLY = '+12025550100';

async function transferFrom(callee: string, destination: string) {
  const at = openNetwork();
  const { leg, events } = await dialAndTurn(at, callee, 2_000);
  leg.transfer({ target: { kind: 'number', number: e164Schema.parse(destination) }, timeoutMs: 30_000 });
  const outcomes = (): TransferOutcome[] =>
    events.flatMap((event) => (event.kind === 'transfer' ? [event.outcome] : []));
  return { at, leg, outcomes };
}

it.each([
  ['answers', FRIENDLY, { kind: 'transferred', sipCode: 200 }],
  ['is busy', '+12025550101', { kind: 'failed', sipCode: 486 }],
  ['declines', '+12025550103', { kind: 'failed', sipCode: 603 }],
  ['never answers', '+12025550102', { kind: 'unreported' }],
  ['is not in service', '+12025550177', { kind: 'failed', sipCode: 404 }],
])('a transfer to a number that %s ends as a call to it does', async (_what, destination, outcome) => {
  const { at, leg, outcomes } = await transferFrom(FRIENDLY, destination);
  await at.clock.turnGently(31_000, 31);
  expect(outcomes()).toEqual([outcome]);
  leg.hangUp();
  at.clock.turn(3_600_000);
  expect(at.clock.pendingTimers).toBe(0);
});

it.each([
  ['+12025550117', { kind: 'refused', sipCode: 603 }],
  ['+12025550118', { kind: 'refused', sipCode: 405 }],
  ['+12025550119', { kind: 'unreported' }],
])('the network of %s does with a transfer what its persona says', async (callee, outcome) => {
  const { at, outcomes } = await transferFrom(callee, FRIENDLY);
  await at.clock.turnGently(31_000, 31);
  expect(outcomes()).toEqual([outcome]);
});

it('nothing is reported of a transfer whose leg has ended', async () => {
  const { at, leg, outcomes } = await transferFrom(FRIENDLY, FRIENDLY);
  leg.hangUp();
  await at.clock.turnGently(31_000, 31);
  expect(outcomes()).toEqual([]);
});
