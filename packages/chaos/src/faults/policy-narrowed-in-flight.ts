import { ON_THE_WAY_MS } from '../check/suppressions.ts';
import type { Stack } from '../stack/stack.ts';
import { callsOf, type StoredCall } from './calls-of.ts';
import type { Fault } from './fault.ts';
import { PATIENCE_MS, until, untilEnded } from './observe.ts';
import { placeTogether } from './place-together.ts';
import { savePolicy } from './save-policy.ts';

/** As many as the system may have over SIP, but for a few. */
const CALLS = 140;
/** The hours close once so many telephones were reached: workers dial all calls within about five seconds. */
const DIALED_BEFORE = 20;
/** The time after the commit of a policy in which a dial may still begin. */
const STOPS_WITHIN_MS = 1_000;

const WEEK = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };

/** Many calls wait in the queue. While workers dial them, their account saves a policy that closes all hours. */
export const policyNarrowedInFlight: Fault = {
  name: 'policy-narrowed-in-flight',
  expectation: 'no call is dialed more than a second after the hours have closed, and those ended at no cost',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const account = await stack.account();
    const callIds = await placeTogether(context, account, CALLS, () => ({ toNumber: stack.number('busy') }));
    await until('some are dialed', PATIENCE_MS, async () => (await dialsOf(stack, callIds)).length >= DIALED_BEFORE);
    const closedAtMs = await savePolicy(stack, account, { windows: { default: WEEK } });
    await untilEnded(stack, callIds);
    const dials = await dialsOf(stack, callIds);
    const calls = await callsOf(stack, callIds);
    const dialed = new Set(dials.map(({ number }) => number));
    const latestMs = Math.max(0, ...dials.map(({ atMs }) => atMs - closedAtMs));
    return {
      injected: 1,
      hit: calls.filter(({ reason }) => reason === 'outside_calling_window').length,
      recoveryMs: null,
      timings: [
        { what: 'the last dial after the hours closed', tookMs: latestMs, promisedMs: STOPS_WITHIN_MS + ON_THE_WAY_MS },
      ],
      violations: [
        ...(latestMs > STOPS_WITHIN_MS + ON_THE_WAY_MS ? [`dialed ${latestMs} ms after the hours closed`] : []),
        ...calls.flatMap((call) => violationsOf(call, dialed.has(call.number))),
      ],
    };
  },
};

async function dialsOf(
  stack: Stack,
  callIds: readonly string[],
): Promise<readonly { readonly number: string; readonly atMs: number }[]> {
  const numbers = new Set((await callsOf(stack, callIds)).map(({ number }) => number));
  const legs = await stack.legs();
  return legs.flatMap(({ key, dialledAtMs }) => (numbers.has(key) ? [{ number: key, atMs: dialledAtMs }] : []));
}

function violationsOf({ id, reason, costMicros }: StoredCall, isDialed: boolean): readonly string[] {
  const expected = isDialed ? 'busy' : 'outside_calling_window';
  if (reason !== expected) return [`ended ${reason} instead of ${expected}: ${id}`];
  return costMicros === '0' ? [] : [`ended ${reason}, and charged ${costMicros}: ${id}`];
}
