import { endCall } from '../load/client.ts';
import { FIRST_HOLD_MICROS, type Account } from '../stack/account.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, first, isDrivenBy, untilEnded, untilStatus } from './observe.ts';

const CALLS_OF_A_KIND = 6;

/** Some calls have no funds beyond their first hold; for the others one worker cannot reach the gate. */
export const holdNotExtended: Fault = {
  name: 'hold-not-extended',
  expectation: 'calls use up their hold and end as funds_exhausted; the cost stays within the hold',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const rich = await talk(context, await stack.account());
    const poor = await Promise.all(
      Array.from({ length: CALLS_OF_A_KIND }, async () =>
        talk(context, await stack.account({ balanceMicros: FIRST_HOLD_MICROS }), 1),
      ),
    );
    const cutOff = stack.workers[2] ?? first(stack.workers);
    cutOff.redisWire.refuse();
    const stranded = (await callsOf(stack, rich.account)).filter((call) => isDrivenBy(call, cutOff.pid));
    const doomed = [...stranded.map(({ id }) => id), ...poor.flatMap(({ callIds }) => callIds)];
    await untilEnded(stack, doomed);
    cutOff.redisWire.heal();
    const reasons = await stack.sql<{ id: string; reason: string; unspent: string }>(
      `SELECT id::text, ended_reason::text AS reason, (hold_micros - cost_micros)::text AS unspent
       FROM calls WHERE id = ANY($1::uuid[])`,
      [doomed],
    );
    for (const { id, status } of await callsOf(stack, rich.account)) {
      if (status !== 'ended') await endCall(first(stack.apis), rich.account, id);
    }
    return {
      injected: 2,
      hit: doomed.length,
      recoveryMs: null,
      violations: reasons.flatMap(({ id, reason, unspent }) => [
        ...(reason === 'funds_exhausted' ? [] : [`a call ended as ${reason}: ${id}`]),
        ...(unspent === '0' ? [] : [`a call ended before its hold was used up, ${unspent} micros are left: ${id}`]),
      ]),
    };
  },
};

async function talk({ stack, clients }: FaultContext, account: Account, count = CALLS_OF_A_KIND) {
  const callIds = await clients.placeMany(account, count, () => ({ toNumber: stack.number('silent') }));
  await untilStatus(stack, account, 'in_progress', count);
  return { account, callIds };
}
