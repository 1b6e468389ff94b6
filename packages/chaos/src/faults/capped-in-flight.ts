import type { Account } from '../stack/account.ts';
import type { Persona } from '../stack/numbers.ts';
import type { Stack } from '../stack/stack.ts';
import { callsOf, type StoredCall } from './calls-of.ts';
import type { Fault, FaultContext } from './fault.ts';
import { first, killService, openCallsOf, PATIENCE_MS, until, untilEnded } from './observe.ts';
import { placeTogether } from './place-together.ts';
import { savePolicy } from './save-policy.ts';

const CALLS = 60;
const MOST = 2;
const PERSONAS: readonly Persona[] = ['busy', 'impatient', 'congested', 'friendly', 'silent'];
/** The silent callee stays until we hang up. */
const MAX_SECONDS = 5;

/**
 * Calls to a few numbers, far more than their cap allows, wait in the queue. Workers take them at once, and one of them is
 * killed once it has dialed.
 */
export const cappedInFlight: Fault = {
  name: 'capped-in-flight',
  expectation:
    'each number rings no more often than its cap allows, also when a worker dies; all other calls end at no cost',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const account = await stack.account();
    await savePolicy(stack, account, { caps: [{ hours: 1, max: MOST }] });
    let nth = 0;
    const callIds = await placeTogether(context, account, CALLS, () => {
      nth += 1;
      const persona = PERSONAS[nth % PERSONAS.length] ?? 'busy';
      return { toNumber: stack.number(persona), maxDurationSeconds: MAX_SECONDS };
    });
    const lost = await killOneThatDials(stack, account);
    await untilEnded(stack, callIds);
    const calls = await callsOf(stack, callIds);
    const rung = new Set((await stack.legs()).map(({ key }) => key));
    const numbers = [...new Set(calls.map(({ number }) => number))];
    return {
      injected: 1,
      hit: Math.min(lost, calls.filter(({ reason }) => reason === 'frequency_capped').length),
      recoveryMs: null,
      violations: [
        ...numbers.flatMap((number) =>
          violationsOf(
            number,
            calls.filter((call) => call.number === number),
            rung,
          ),
        ),
        ...(await acceptedAnyway(context, account, numbers)),
      ],
    };
  },
};

/** Its leases then count as expired, so that another worker ends its calls at once. @returns how many calls it leaves behind */
async function killOneThatDials(stack: Stack, account: Account): Promise<number> {
  const driven = () => Promise.all(stack.workers.map(({ pid }) => openCallsOf(stack, account, pid)));
  await until('a worker dials', PATIENCE_MS, async () => (await driven()).some(({ length }) => length > 0));
  const counts = (await driven()).map(({ length }) => length);
  const busiest = stack.workers[counts.indexOf(Math.max(...counts))] ?? first(stack.workers);
  const { pid } = busiest;
  await killService(stack, busiest);
  const lost = await openCallsOf(stack, account, pid);
  await stack.sql(
    `UPDATE calls SET lease_renewed_at = clock_timestamp() - interval '2 seconds', lease_expires_at = clock_timestamp() - interval '1 second'
     WHERE id = ANY($1::uuid[])`,
    [lost.map(({ id }) => id)],
  );
  return lost.length;
}

/** Calls without a right to dial end with the reason; the others are as many as the cap allows, whatever became of their worker. */
function violationsOf(number: string, calls: readonly StoredCall[], rung: ReadonlySet<string>): readonly string[] {
  const times = calls.filter(({ id }) => rung.has(id)).length;
  const capped = calls.filter(({ reason }) => reason === 'frequency_capped');
  return [
    ...(times > MOST ? [`${number} rang ${times} times`] : []),
    ...(calls.length - capped.length === MOST
      ? []
      : [`${calls.length - capped.length} calls to ${number} were granted`]),
    ...capped.flatMap(({ id, costMicros }) => [
      ...(rung.has(id) ? [`dialed although its number was capped: ${id}`] : []),
      ...(costMicros === '0' ? [] : [`capped, and charged ${costMicros}: ${id}`]),
    ]),
  ];
}

/** Both APIs refuse another call to each number. */
async function acceptedAnyway(
  { stack, clients }: FaultContext,
  account: Account,
  numbers: readonly string[],
): Promise<readonly string[]> {
  const answers = await Promise.all(
    stack.apis.flatMap((api) => numbers.map((toNumber) => clients.placeWithRetries(account, { toNumber }, { api }))),
  );
  return answers.flatMap((answer) =>
    answer.kind === 'refused' && answer.code === 'frequency_capped' ? [] : [`answered ${JSON.stringify(answer)}`],
  );
}
