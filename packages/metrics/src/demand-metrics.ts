import type { OpenCallsReading, SystemReader } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { JOB_STATES, OPEN_STATUSES, SYSTEM_GAUGES } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauge, openGauges } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

type JobCounts = Readonly<Record<(typeof JOB_STATES)[number], number>>;

export interface DemandDeps {
  readonly reader: Pick<SystemReader, 'openCalls'>;
  /** Jobs of the queue of calls. */
  readonly jobs: () => Promise<JobCounts>;
}

const MICROS_PER_UNIT = 1_000_000;
const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * What an autoscaler and the alarms of waiting calls look at. The API reports it as well as each worker, so that it exists without
 * a worker. One aggregate of Postgres and one pipeline of Redis, whatever waits.
 */
export function measureDemand(
  exposition: Exposition,
  successes: ReadingSuccess,
  deps: DemandDeps & { readonly clock: Clock; readonly freshMs?: number | undefined },
): void {
  const { clock, freshMs, reader } = deps;
  const { registry } = exposition;
  const showOpenCalls = openOpenCallGauges(exposition);
  const queueJobs = openGauges(registry, SYSTEM_GAUGES.queueJobs);
  const demand = openGauge(registry, SYSTEM_GAUGES.workerDemand);
  let live: number | null = null;
  let waiting: number | null = null;
  const openCalls = createReading({
    clock,
    freshMs,
    read: () => reader.openCalls(),
    show(reading) {
      live = reading && reading.liveCalls;
      successes.note('open_calls', reading !== null);
      showOpenCalls(reading);
    },
  });
  const jobs = createReading({
    clock,
    freshMs,
    read: () => deps.jobs(),
    show(counts) {
      waiting = counts && counts.waiting;
      successes.note('queue', counts !== null);
      queueJobs(counts ? new Map(JOB_STATES.map((state) => [state, counts[state]])) : NOTHING);
    },
  });
  exposition.beforeScrape(async () => {
    await Promise.all([openCalls(), jobs()]);
    // Half of it would be too little: an autoscaler must see that it is not known.
    demand(live === null || waiting === null ? null : live + waiting);
  });
}

function openOpenCallGauges({ registry }: Exposition): (reading: OpenCallsReading | null) => void {
  const calls = openGauges(registry, SYSTEM_GAUGES.openCalls);
  const oldestQueued = openGauge(registry, SYSTEM_GAUGES.oldestQueued);
  const orphaned = openGauge(registry, SYSTEM_GAUGES.orphanedCalls);
  const held = openGauges(registry, SYSTEM_GAUGES.fundsHeld);
  return (reading) => {
    calls(reading ? callsByStatus(reading) : NOTHING);
    oldestQueued(reading && reading.oldestQueuedSeconds);
    orphaned(reading && reading.orphanedCalls);
    held(reading ? heldByCurrency(reading) : NOTHING);
  };
}

function callsByStatus({ openCalls }: OpenCallsReading): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(OPEN_STATUSES.map((status) => [status, 0]));
  for (const { status, calls } of openCalls) counts.set(status, (counts.get(status) ?? 0) + calls);
  return counts;
}

function heldByCurrency({ openCalls }: OpenCallsReading): ReadonlyMap<string, number> {
  const held = new Map<string, bigint>();
  for (const { currency, heldMicros } of openCalls) held.set(currency, (held.get(currency) ?? 0n) + heldMicros);
  return new Map([...held].map(([currency, amount]) => [currency, Number(amount) / MICROS_PER_UNIT]));
}
