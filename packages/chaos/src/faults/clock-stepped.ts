import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault } from './fault.ts';
import { callsOf, countIn, untilEnded, untilStatus } from './observe.ts';

const CALLS = 12;
/** Less than the silence that an agent tolerates. */
const TALK_SECONDS = 15;

/** During calls the wall clock of one worker jumps ahead by an hour and another's back; the same for the APIs. */
export const clockStepped: Fault = {
  name: 'clock-stepped',
  expectation: 'leases and durations stay correct',
  carrier: 'sip',
  async run({ stack, clients }) {
    const account = await stack.account();
    const call = () => ({ toNumber: stack.number('silent'), maxDurationSeconds: TALK_SECONDS });
    const live = await clients.placeMany(account, CALLS, call);
    await untilStatus(stack, account, 'in_progress', CALLS);
    const hit = await countIn(stack, account, 'in_progress');
    const steps = [stack.workers, stack.apis].flatMap(([ahead, behind]) => [
      ...(ahead ? [{ service: ahead, to: 'an hour ahead' as const }] : []),
      ...(behind ? [{ service: behind, to: 'an hour back' as const }] : []),
    ]);
    await Promise.all(steps.map(({ service, to }) => service.setClock(to)));
    const later = await clients.placeMany(account, CALLS, call);
    await untilEnded(stack, [...live, ...later]);
    await Promise.all(steps.map(({ service }) => service.setClock('right')));
    const lost = (await callsOf(stack, account)).filter(({ reason }) => reason !== 'max_duration_reached');
    return {
      injected: steps.length,
      hit,
      recoveryMs: null,
      violations: [
        ...lost.map(({ id, reason }) => `a call ended as ${reason}: ${id}`),
        ...(await wrongDurations(stack, account)),
      ],
    };
  },
};

async function wrongDurations(stack: Stack, account: Account): Promise<readonly string[]> {
  const rows = await stack.sql<{ id: string; seconds: number }>(
    `SELECT id::text, billable_seconds AS seconds FROM calls
     WHERE account_id = $1 AND ended_reason = 'max_duration_reached'
       AND (billable_seconds <> $2 OR ended_at - answered_at <> $2 * interval '1 second')`,
    [account.id, TALK_SECONDS],
  );
  return rows.map(({ id, seconds }) => `a call of ${TALK_SECONDS} s was billed for ${seconds} s: ${id}`);
}
