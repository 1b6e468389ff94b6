import type { Gate, SystemReader, SystemReading } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import { CAMPAIGN_GAUGE_STATES, SYSTEM_GAUGES, SCHEDULED_STATES, type ReadingName } from './catalogue.ts';
import type { Exposition } from './exposition.ts';
import { openGauge, openGauges, type SetGauge, type SetGauges } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

export interface SystemMetricsDeps {
  readonly reader: Pick<SystemReader, 'read'>;
  readonly gate: Pick<Gate, 'state'>;
  readonly clock: Clock;
  readonly freshMs?: number | undefined;
}

const MICROS_PER_UNIT = 1_000_000;
const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * Exposes the limits, what waits beside the open calls, and the gate. Each store is read separately, so that one store's values
 * are exposed while the other is away.
 */
export function measureSystem(exposition: Exposition, successes: ReadingSuccess, deps: SystemMetricsDeps): void {
  const gauges = openSystemGauges(exposition);
  const noted = (name: ReadingName, isRead: boolean) => successes.note(name, isRead);
  const postgres = createReading({
    clock: deps.clock,
    freshMs: deps.freshMs,
    read: () => deps.reader.read(),
    show(reading) {
      noted('postgres', reading !== null);
      showSystem(gauges, reading, deps.clock.nowMs());
    },
  });
  const gate = createReading({
    clock: deps.clock,
    freshMs: deps.freshMs,
    read: () => deps.gate.state(),
    show(state) {
      noted('gate', state !== null);
      gauges.gateOpen(state && Number(state.open));
      gauges.slotsInUse(state && state.slotsInUse);
    },
  });
  exposition.beforeScrape(async () => {
    await Promise.all([postgres(), gate()]);
  });
}

type SystemGauges = ReturnType<typeof openSystemGauges>;

function openSystemGauges({ registry }: Exposition) {
  return {
    scheduledCalls: openGauges(registry, SYSTEM_GAUGES.scheduledCalls),
    oldestDueScheduled: openGauge(registry, SYSTEM_GAUGES.oldestDueScheduled),
    campaigns: openGauges(registry, SYSTEM_GAUGES.campaigns),
    stockCalls: openGauge(registry, SYSTEM_GAUGES.stockCalls),
    oldestAnalysis: openGauge(registry, SYSTEM_GAUGES.oldestAnalysis),
    diallingPaused: openGauge(registry, SYSTEM_GAUGES.diallingPaused),
    retentionLag: openGauge(registry, SYSTEM_GAUGES.retentionLag),
    slotsInUse: openGauge(registry, SYSTEM_GAUGES.slotsInUse),
    slotsLimit: openGauge(registry, SYSTEM_GAUGES.slotsLimit),
    fundsLimit: openGauges(registry, SYSTEM_GAUGES.fundsLimit),
    gateOpen: openGauge(registry, SYSTEM_GAUGES.gateOpen),
  } satisfies Readonly<Record<string, SetGauge | SetGauges>>;
}

function showSystem(gauges: SystemGauges, reading: SystemReading | null, nowMs: number): void {
  gauges.scheduledCalls(reading ? scheduledByState(reading) : NOTHING);
  gauges.oldestDueScheduled(reading && lateSeconds(reading, nowMs));
  gauges.campaigns(reading ? campaignsByState(reading) : NOTHING);
  gauges.stockCalls(reading && reading.stockCalls);
  gauges.oldestAnalysis(reading && reading.oldestAnalysisSeconds);
  gauges.diallingPaused(reading && Number(reading.diallingPaused));
  gauges.retentionLag(reading && reading.retentionLagSeconds);
  gauges.slotsLimit(reading && reading.capacity);
  const balances = reading?.balances ?? [];
  gauges.fundsLimit(
    new Map(balances.map(({ currency, balanceMicros }) => [currency, Number(balanceMicros) / MICROS_PER_UNIT])),
  );
}

function campaignsByState({ campaigns }: SystemReading): ReadonlyMap<string, number> {
  const counts = new Map<string, number>(CAMPAIGN_GAUGE_STATES.map((state) => [state, 0]));
  for (const { state, campaigns: count } of campaigns) counts.set(state, count);
  return counts;
}

function scheduledByState({ scheduledCalls }: SystemReading): ReadonlyMap<string, number> {
  const calls = new Map<string, number>(SCHEDULED_STATES.map((state) => [state, 0]));
  for (const { waitingFor, calls: count } of scheduledCalls) {
    const state = waitingFor ?? 'nothing';
    calls.set(state, (calls.get(state) ?? 0) + count);
  }
  return calls;
}

function lateSeconds({ oldestDueScheduledMs: dueAtMs }: SystemReading, nowMs: number): number {
  return dueAtMs === null ? 0 : Math.max(0, nowMs - dueAtMs) / 1_000;
}
