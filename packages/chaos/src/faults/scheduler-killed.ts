import type { Service } from '../stack/service.ts';
import { catchFirst } from './catch-first.ts';
import type { Fault, FaultContext } from './fault.ts';
import { admissionOf, MARKS, reservationOf } from './marks.ts';
import { killService } from './observe.ts';
import {
  strikeScheduler,
  longestMs,
  notDialedOnce,
  RESERVED_AGAIN_WITHIN_MS,
  reservedOf,
  RETRY,
  scheduledOf,
  TAKEN_AGAIN_WITHIN_MS,
  type ScheduledRow,
  type StrikePlan,
  type Struck,
} from './scheduled-calls.ts';

/** The sweep that adds calls without a job to the queue. */
export const QUEUED_AGAIN_WITHIN_MS = 30_000;

/** Each account is due before the calls of the one before it may be taken again. */
const TAKEN: StrikePlan = {
  dueInMs: 4_000,
  arm: ({ redisWire }, { id, accountId }) => redisWire.trap({ text: reservationOf(id, accountId), at: 'request' }),
  withRetries: true,
};
const RESERVED: StrikePlan = {
  dueInMs: 7_000,
  arm: ({ databaseWire }, { id }) => databaseWire.trap({ text: admissionOf(id), at: 'request' }),
};
const ADMITTED: StrikePlan = {
  dueInMs: 10_000,
  arm: ({ databaseWire }, { id }) => databaseWire.trap({ text: admissionOf(id), at: 'reply' }),
};

/**
 * The worker that admits calls dies when it has taken them and nothing is reserved; when the gate has reserved and Postgres
 * does not know; when Postgres has admitted and no job is in the queue. Before, one dies when it has settled a call that is
 * to be retried.
 */
export const schedulerKilled: Fault = {
  name: 'scheduler-killed',
  expectation: 'other workers admit its calls after its turn, or once its reservations are free; each is dialed once',
  carrier: 'simulated',
  async run(context) {
    const { stack } = context;
    const retried = await killWhileSettling(context);
    const strikes = await Promise.all(
      [TAKEN, RESERVED, ADMITTED].map((plan) => killWith(context, (strike) => strikeScheduler(context, plan, strike))),
    );
    const [taken, reserved, admitted] = strikes;
    if (!taken || !reserved || !admitted) throw new Error('there are three strikes');
    const wrong = await notDialedOnce(
      stack,
      strikes.flatMap(({ callIds }) => callIds),
    );
    const others = Math.max(...(await Promise.all(strikes.map((one) => one.waitedMs('taken', 'queuedAtMs')))));
    const freed = await reserved.waitedMs('reserved', 'queuedAtMs');
    const requeued = await admitted.waitedMs('admitted', 'startedAtMs');
    const hits = {
      'after a settlement with a retry': retried,
      'before it reserved': taken.count.taken,
      'before Postgres had the admission': reserved.count.reserved,
      'before the job was queued': admitted.count.admitted,
    };
    return {
      injected: strikes.length + 1,
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

/** @returns how many calls were settled, and are to be called again. */
async function killWhileSettling({ stack, clients }: FaultContext): Promise<number> {
  const account = await stack.account();
  const catching = catchFirst(stack.workers, ({ databaseWire }) =>
    databaseWire.trap({ text: MARKS.settle, at: 'reply' }),
  );
  const [id] = await clients.placeMany(account, 1, () => ({ toNumber: stack.number('busy'), retry: RETRY }));
  const { worker, caught } = await catching;
  await killService(stack, worker);
  caught.cut();
  await worker.start();
  const retries = await stack.sql('SELECT FROM call_schedules WHERE retry_of = $1', [id]);
  return retries.length;
}

/** Kills the worker that is struck, and sorts its calls by how far it had brought them. */
export async function killWith(
  { stack }: Pick<FaultContext, 'stack'>,
  strikeBy: (strike: (worker: Service) => Promise<void>) => Promise<Struck>,
) {
  const struck = await strikeBy((worker) => killService(stack, worker));
  struck.caught.cut();
  const reservations = await reservedOf(stack, struck);
  const found = await scheduledOf(stack, struck.callIds);
  await struck.worker.start();
  const waiting = found.filter(({ status }) => status === 'scheduled');
  const ids = {
    taken: idsOf(waiting.filter(({ id, isTaken }) => isTaken && !reservations.has(id))),
    reserved: idsOf(waiting.filter(({ id }) => reservations.has(id))),
    admitted: idsOf(found.filter(({ status }) => status === 'queued')),
  };
  return {
    count: {
      waiting: waiting.length,
      taken: ids.taken.size,
      reserved: ids.reserved.size,
      admitted: ids.admitted.size,
    },
    callIds: struck.callIds,
    /** How long those that it had brought so far waited after its death. */
    waitedMs: async (which: keyof typeof ids, at: 'queuedAtMs' | 'startedAtMs') => {
      const now = await scheduledOf(stack, struck.callIds);
      return longestMs(
        struck,
        now.filter(({ id }) => ids[which].has(id)),
        at,
      );
    },
  };
}

function idsOf(rows: readonly ScheduledRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id));
}
