import { connectingAgent } from '../load/conducted-agents.ts';
import type { Persona } from '../stack/numbers.ts';
import type { Stack } from '../stack/stack.ts';
import type { Fault, FaultContext } from './fault.ts';
import { callsOf, first, isDrivenBy, killService, PATIENCE_MS, until, untilEnded } from './observe.ts';

/** A lease, and ten seconds for the take-over. */
const TAKEN_OVER_WITHIN_MS = 70_000;
const SHORT = 'A caller for you.';
const LONG = `${SHORT} ${'It is about an appointment that was made for the end of the month. '.repeat(5)}`.trim();

interface Step {
  readonly destination: Persona;
  readonly introduction: string;
  readonly isReached: (leg: SecondLeg, hasArrived: boolean) => boolean;
}

const STEPS = {
  'while the destination rings': {
    destination: 'never_answers',
    introduction: SHORT,
    isReached: ({ isAnswered }, hasArrived) => hasArrived && !isAnswered,
  },
  'during the introduction': {
    destination: 'silent',
    introduction: LONG,
    isReached: ({ isAnswered, isConnected }) => isAnswered && !isConnected,
  },
  'while both talk': {
    destination: 'silent',
    introduction: SHORT,
    isReached: ({ isConnected }) => isConnected,
  },
} as const satisfies Record<string, Step>;

/** Workers die while the destination of a warm transfer rings, while it hears the introduction, and while both talk. */
export const warmTransferKilled: Fault = {
  name: 'warm-transfer-killed',
  expectation: 'the destination is dialed once; both legs are hung up and charged once within lease + 10 s',
  carrier: 'sip',
  async run(context) {
    const { stack } = context;
    const killed = [];
    for (const [place, step] of Object.entries(STEPS)) killed.push(await killAt(context, place, step));
    const tookMs = Math.max(...(await Promise.all(killed.map(({ takenOver }) => takenOver))));
    const wrong = await Promise.all(killed.map((one) => violationsOf(stack, one)));
    return {
      injected: killed.length,
      hit: killed.filter(({ wasReached }) => wasReached).length,
      recoveryMs: tookMs,
      timings: [{ what: 'calls with a second leg settled', tookMs, promisedMs: TAKEN_OVER_WITHIN_MS }],
      violations: [
        ...killed.flatMap(({ place, wasReached }) => (wasReached ? [] : [`nothing was hit ${place}`])),
        ...wrong.flat(),
      ],
    };
  },
};

interface Killed {
  readonly place: string;
  readonly callId: string;
  readonly destination: string;
  /** Also after the kill: the transfer had not gone on by then. */
  readonly wasReached: boolean;
  readonly takenOver: Promise<number>;
}

async function killAt({ stack, clients }: FaultContext, place: string, step: Step): Promise<Killed> {
  const destination = stack.number(step.destination);
  const agents = [connectingAgent({ number: destination, introduction: step.introduction })];
  const account = await stack.account({ agents });
  const call = () => ({ toNumber: stack.number('friendly'), maxDurationSeconds: 300 });
  const callId = first(await clients.placeMany(account, 1, call));
  const isReached = async () => {
    const [leg] = await secondLegsOf(stack, callId);
    return leg !== undefined && step.isReached(leg, (await legsTo(stack, destination)).length > 0);
  };
  await until(`a warm transfer is ${place}`, PATIENCE_MS, isReached);
  const driven = first(await callsOf(stack, account));
  const worker = stack.workers.find(({ pid }) => isDrivenBy(driven, pid));
  if (!worker) throw new Error('a worker drives the call');
  await killService(stack, worker);
  const wasReached = await isReached();
  const takenOver = untilEnded(stack, [callId]);
  // The next step may fail before this is awaited.
  takenOver.catch(() => undefined);
  await worker.start();
  return { place, callId, destination, wasReached, takenOver };
}

interface SecondLeg {
  readonly outcome: string | null;
  readonly isAnswered: boolean;
  readonly isConnected: boolean;
  readonly costMicros: string;
}

function secondLegsOf({ sql }: Pick<Stack, 'sql'>, callId: string): Promise<SecondLeg[]> {
  return sql<SecondLeg>(
    `SELECT outcome, answered_at IS NOT NULL AS "isAnswered", connected_at IS NOT NULL AS "isConnected",
       cost_micros::text AS "costMicros" FROM transfer_legs WHERE call_id = $1::uuid`,
    [callId],
  );
}

const legsTo = async (stack: Stack, number: string) => (await stack.legs()).filter(({ key }) => key === number);

async function violationsOf(stack: Stack, { place, callId, destination }: Killed): Promise<readonly string[]> {
  const [call] = await stack.sql<{ reason: string; costMicros: string }>(
    'SELECT ended_reason::text AS reason, cost_micros::text AS "costMicros" FROM calls WHERE id = $1::uuid',
    [callId],
  );
  const seconds = await secondLegsOf(stack, callId);
  const dialed = await legsTo(stack, destination);
  const ofSeconds = seconds.reduce((sum, { costMicros }) => sum + BigInt(costMicros), 0n);
  const broken = {
    [`ended ${call?.reason}`]: call?.reason !== 'worker_lost',
    [`has ${seconds.length} second legs`]: seconds.length !== 1,
    [`its second leg ended ${seconds[0]?.outcome}`]: seconds[0]?.outcome !== 'lost',
    [`dialed its destination ${dialed.length} times`]: dialed.length !== 1,
    'its destination is still up': dialed.some(({ endedAtMs }) => endedAtMs === null),
    'paid for a destination that did not answer': ofSeconds > 0n && seconds.every(({ isAnswered }) => !isAnswered),
    'paid nothing for its destination': ofSeconds === 0n && seconds.some(({ isAnswered }) => isAnswered),
    'paid for its second leg alone': BigInt(call?.costMicros ?? 0) <= ofSeconds,
  };
  return Object.entries(broken).flatMap(([what, isBroken]) =>
    isBroken ? [`a call whose worker died ${place}: ${what}: ${callId}`] : [],
  );
}
