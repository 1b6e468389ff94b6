import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, FaultContext } from './fault.ts';
import { admissionOf } from './marks.ts';
import {
  strikeScheduler,
  longestMs,
  notDialedOnce,
  RESERVED_AGAIN_WITHIN_MS,
  reservedOf,
  scheduledOf,
  TAKEN_AGAIN_WITHIN_MS,
  type StrikePlan,
} from './scheduled-calls.ts';

/** Its turn is over, and its reservations are void; and only the former. */
const STOPS = [
  { dueInMs: 4_000, forMs: 60_000 },
  { dueInMs: 7_000, forMs: 20_000 },
] as const;

/** Workers stand still when the gate has reserved and the admission is on its way; it arrives when they wake. */
export const schedulerStopped: Fault = {
  name: 'scheduler-stopped',
  expectation: 'others admit its calls; what it sends when it wakes has no effect',
  carrier: 'simulated',
  async run(context) {
    const stops = await Promise.all(STOPS.map((stop) => stopFor(context, stop)));
    const callIds = stops.flatMap((stop) => stop.callIds);
    const wrong = await notDialedOnce(context.stack, callIds);
    const results = await Promise.all(stops.map((stop) => stop.result()));
    const others = Math.max(...results.map(({ othersMs }) => othersMs));
    const reserved = Math.max(...results.map(({ reservedMs }) => reservedMs));
    return {
      injected: stops.length,
      hit: stops.reduce((sum, { hit }) => sum + hit, 0),
      recoveryMs: Math.max(others, reserved),
      timings: [
        { what: 'what it had taken, admitted by others', tookMs: others, promisedMs: TAKEN_AGAIN_WITHIN_MS },
        { what: 'what it had reserved, admitted by others', tookMs: reserved, promisedMs: RESERVED_AGAIN_WITHIN_MS },
      ],
      violations: [...wrong, ...results.flatMap(({ violations }) => violations)],
    };
  },
};

async function stopFor(context: FaultContext, { dueInMs, forMs }: (typeof STOPS)[number]) {
  const { stack } = context;
  const plan: StrikePlan = {
    dueInMs,
    arm: ({ databaseWire }, { id }) => databaseWire.trap({ text: admissionOf(id), at: 'request' }),
  };
  const struck = await strikeScheduler(context, plan, (worker) => worker.pause());
  const { worker, caught, callIds } = struck;
  const reservations = await reservedOf(stack, struck);
  await sleep(forMs);
  const before = await scheduledOf(stack, callIds);
  caught.release();
  worker.resume();
  return {
    callIds,
    hit: reservations.size,
    async result() {
      const after = await scheduledOf(stack, callIds);
      const wasQueued = new Map(before.map((row) => [row.id, row.queuedAtMs]));
      return {
        othersMs: longestMs(
          struck,
          after.filter(({ id }) => !reservations.has(id)),
          'queuedAtMs',
        ),
        reservedMs: longestMs(
          struck,
          after.filter(({ id }) => reservations.has(id)),
          'queuedAtMs',
        ),
        violations: after.flatMap(({ id, reservationId, queuedAtMs }) => {
          const earlierMs = wasQueued.get(id) ?? null;
          if (reservationId !== null && reservations.get(id) === reservationId)
            return [`admitted by a worker whose turn was over: ${id}`];
          return earlierMs === null || earlierMs === queuedAtMs ? [] : [`admitted again by a worker that woke: ${id}`];
        }),
      };
    },
  };
}
