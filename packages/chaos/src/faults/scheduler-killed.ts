import type { Fault, FaultContext } from './fault.ts';
import { admissionOf, MARKS } from './marks.ts';
import { killService } from './observe.ts';
import {
  catchScheduler,
  longestMs,
  notDialedOnce,
  RESERVED_AGAIN_WITHIN_MS,
  reservedOf,
  scheduledOf,
  TAKEN_AGAIN_WITHIN_MS,
  type ScheduledRow,
  type StrikePlan,
} from './scheduled-calls.ts';

/** The sweep that adds calls without a job to the queue. */
const QUEUED_AGAIN_WITHIN_MS = 30_000;

/** Each account is due before the calls of the one before it may be taken again. */
const TAKEN: StrikePlan = {
  dueInMs: 4_000,
  trap: () => ({ text: MARKS.takeDue, at: 'reply' }),
  withRetries: true,
};
const RESERVED: StrikePlan = { dueInMs: 7_000, trap: (id) => ({ text: admissionOf(id), at: 'request' }) };
const ADMITTED: StrikePlan = { dueInMs: 10_000, trap: (id) => ({ text: admissionOf(id), at: 'reply' }) };

/**
 * The worker that admits calls dies when it has taken them and nothing is reserved; when the gate has reserved and Postgres
 * does not know; when Postgres has admitted and no job is in the queue.
 */
export const schedulerKilled: Fault = {
  name: 'scheduler-killed',
  expectation: 'other workers admit its calls after its turn, or once its reservations are free; each is dialed once',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const strikes = await Promise.all([TAKEN, RESERVED, ADMITTED].map((plan) => killAt(context, plan)));
    const [taken, reserved, admitted] = strikes;
    if (!taken || !reserved || !admitted) throw new Error('there are three strikes');
    const wrong = await notDialedOnce(
      stack,
      strikes.flatMap(({ struck }) => struck.callIds),
    );
    const others = Math.max(...(await Promise.all(strikes.map(({ untouched }) => untouched()))));
    const freed = longestMs(reserved.struck, await reserved.rows(reserved.isReserved), 'queuedAtMs');
    const requeued = longestMs(admitted.struck, await admitted.rows(admitted.isAdmitted), 'startedAtMs');
    const hits = {
      'before it reserved': taken.count.reserved + taken.count.admitted === 0 ? taken.count.taken : 0,
      'before Postgres had the admission': reserved.count.admitted === 0 ? reserved.count.reserved : 0,
      'before the job was queued': admitted.count.admitted,
    };
    return {
      injected: strikes.length,
      hit: Object.values(hits).reduce((sum, count) => sum + count, 0),
      recoveryMs: Math.max(others, freed, requeued),
      timings: [
        { what: 'what it had taken, admitted by others', tookMs: others, promisedMs: TAKEN_AGAIN_WITHIN_MS },
        { what: 'what it had reserved, admitted by others', tookMs: freed, promisedMs: RESERVED_AGAIN_WITHIN_MS },
        { what: 'what it had admitted, dialed', tookMs: requeued, promisedMs: QUEUED_AGAIN_WITHIN_MS },
      ],
      violations: [
        ...wrong,
        ...Object.entries(hits).flatMap(([place, count]) => (count === 0 ? [`nothing was hit ${place}`] : [])),
      ],
    };
  },
};

async function killAt(context: FaultContext, plan: StrikePlan) {
  const { stack } = context;
  const struck = await catchScheduler(context, plan, (worker) => killService(stack, worker));
  struck.caught.cut();
  const reservations = await reservedOf(stack, struck);
  const found = await scheduledOf(stack, struck.callIds);
  const admittedIds = new Set(found.filter(({ status }) => status !== 'scheduled').map(({ id }) => id));
  await struck.worker.start();
  const isAdmitted = ({ id }: ScheduledRow) => admittedIds.has(id);
  const isReserved = (row: ScheduledRow) => reservations.has(row.id) && !isAdmitted(row);
  const rows = async (which: (row: ScheduledRow) => boolean) =>
    (await scheduledOf(stack, struck.callIds)).filter(which);
  return {
    struck,
    count: {
      taken: found.filter(({ isTaken }) => isTaken).length,
      reserved: found.filter(isReserved).length,
      admitted: admittedIds.size,
    },
    isAdmitted,
    isReserved,
    rows,
    /** How long those waited of which nothing is in the gate. */
    untouched: async () => longestMs(struck, await rows(({ id }) => !reservations.has(id)), 'queuedAtMs'),
  };
}
