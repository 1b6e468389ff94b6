import type { ReferralOutcome } from '@outdial/sip';
import { afterEach, expect, it } from 'vitest';
import { startCallee } from '../test/callee.ts';
import { openCaller, type TestCall } from '../test/caller.ts';

const FRIENDLY = '+12025550100';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function callTo(number: string): Promise<TestCall> {
  const network = await startCallee();
  open.push(() => network.stop());
  const caller = await openCaller({ sipPort: network.sipPort });
  open.push(() => caller.close());
  const call = await caller.call(number);
  await call.answered();
  await call.until(() => call.heard.length > 5);
  return call;
}

async function refer(call: TestCall, number: string, timeoutMs = 10_000): Promise<ReferralOutcome | undefined> {
  const refer = { target: `sip:${number}@127.0.0.1`, referredBy: 'sip:+12025550199@127.0.0.1', timeoutMs };
  expect(call.refer(refer)).toBe(true);
  await call.until(() => call.has('referral'));
  return call.events.flatMap((event) => (event.kind === 'referral' ? [event.outcome] : []))[0];
}

it.each([
  ['answers', FRIENDLY, { kind: 'transferred', sipCode: 200 }],
  ['is busy', '+12025550101', { kind: 'failed', sipCode: 486 }],
])('a caller that refers the callee to a number that %s learns so, and hangs up', async (_what, number, outcome) => {
  const call = await callTo(FRIENDLY);
  expect(await refer(call, number)).toEqual(outcome);
  call.hangUp();
  expect(await call.ended()).toMatchObject({ outcome: 'completed', by: 'local' });
});

it.each([
  ['+12025550117', { kind: 'refused', sipCode: 603 }],
  ['+12025550118', { kind: 'refused', sipCode: 405 }],
  ['+12025550119', { kind: 'unreported' }],
])('the telephone %s does with a REFER what its persona says', async (number, outcome) => {
  const call = await callTo(number);
  expect(await refer(call, FRIENDLY, 500)).toEqual(outcome);
  call.hangUp();
  await call.ended();
});
