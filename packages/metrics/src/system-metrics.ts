import type { FoundHold, Gate, SystemReader, SystemReading } from '@outdial/calls';
import type { Clock } from '@outdial/kernel';
import {
  CAMPAIGN_GAUGE_STATES,
  DRIFT_KINDS,
  SYSTEM_GAUGES,
  OPEN_STATUSES,
  SCHEDULED_STATES,
  type ReadingName,
} from './catalogue.ts';
import { createDriftWatch, type DriftWatch } from './drift.ts';
import type { Exposition } from './exposition.ts';
import { openGauge, openGauges, type SetGauge, type SetGauges } from './instruments.ts';
import { createReading } from './reading.ts';
import type { ReadingSuccess } from './reading-success.ts';

export interface SystemMetricsDeps {
  readonly reader: SystemReader;
  readonly gate: Pick<Gate, 'state' | 'holds'>;
  readonly clock: Clock;
  readonly freshMs?: number | undefined;
}

/** A reading of the gate; `holds` is null while it is closed. */
interface GateReading {
  readonly slotsInUse: number;
  readonly holds: readonly FoundHold[] | null;
}

const MICROS_PER_UNIT = 1_000_000;
const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * Exposes all open calls, their holds, and the differences between the gate and Postgres. Each store is read separately,
 * so that one store's values are exposed while the other is away.
 */
export function measureSystem(exposition: Exposition, successes: ReadingSuccess, deps: SystemMetricsDeps): void {
  const gauges = openSystemGauges(exposition);
  const drift = createDriftWatch();
  const unseen: PendingReadings = { postgres: undefined, gate: undefined };
  const noted = (name: ReadingName, isRead: boolean) => successes.note(name, isRead);
  const postgres = createReading({
    clock: deps.clock,
    freshMs: deps.freshMs,
    read: () => deps.reader.read(),
    show(reading) {
      unseen.postgres = reading;
      noted('postgres', reading !== null);
      showCalls(gauges, reading, deps.clock.nowMs());
    },
  });
  const gate = createReading({
    clock: deps.clock,
    freshMs: deps.freshMs,
    read: () => readGate(deps.gate),
    show(reading) {
      unseen.gate = reading;
      noted('gate', reading !== null);
      gauges.gateOpen(reading && Number(reading.holds !== null));
      gauges.slotsInUse(reading && reading.slotsInUse);
    },
  });
  exposition.beforeScrape(async () => {
    await Promise.all([postgres(), gate()]);
    compare(drift, gauges.gateDrift, unseen);
  });
}

async function readGate(gate: SystemMetricsDeps['gate']): Promise<GateReading> {
  const { open, slotsInUse } = await gate.state();
  if (!open) return { slotsInUse, holds: null };
  const holds: FoundHold[] = [];
  for await (const page of gate.holds()) holds.push(...page);
  return { slotsInUse, holds };
}

type SystemGauges = ReturnType<typeof openSystemGauges>;

function openSystemGauges({ registry }: Exposition) {
  return {
    openCalls: openGauges(registry, SYSTEM_GAUGES.openCalls),
    oldestQueued: openGauge(registry, SYSTEM_GAUGES.oldestQueued),
    scheduledCalls: openGauges(registry, SYSTEM_GAUGES.scheduledCalls),
    oldestDueScheduled: openGauge(registry, SYSTEM_GAUGES.oldestDueScheduled),
    campaigns: openGauges(registry, SYSTEM_GAUGES.campaigns),
    stockCalls: openGauge(registry, SYSTEM_GAUGES.stockCalls),
    orphanedCalls: openGauge(registry, SYSTEM_GAUGES.orphanedCalls),
    oldestAnalysis: openGauge(registry, SYSTEM_GAUGES.oldestAnalysis),
    diallingPaused: openGauge(registry, SYSTEM_GAUGES.diallingPaused),
    slotsInUse: openGauge(registry, SYSTEM_GAUGES.slotsInUse),
    slotsLimit: openGauge(registry, SYSTEM_GAUGES.slotsLimit),
    fundsHeld: openGauges(registry, SYSTEM_GAUGES.fundsHeld),
    fundsLimit: openGauges(registry, SYSTEM_GAUGES.fundsLimit),
    gateOpen: openGauge(registry, SYSTEM_GAUGES.gateOpen),
    gateDrift: openGauges(registry, SYSTEM_GAUGES.gateDrift),
  } satisfies Readonly<Record<string, SetGauge | SetGauges>>;
}

function showCalls(gauges: SystemGauges, reading: SystemReading | null, nowMs: number): void {
  gauges.oldestQueued(reading && reading.oldestQueuedSeconds);
  gauges.scheduledCalls(reading ? scheduledByState(reading) : NOTHING);
  gauges.oldestDueScheduled(reading && lateSeconds(reading, nowMs));
  gauges.campaigns(reading ? campaignsByState(reading) : NOTHING);
  gauges.stockCalls(reading && reading.stockCalls);
  gauges.orphanedCalls(reading && reading.orphanedCalls);
  gauges.oldestAnalysis(reading && reading.oldestAnalysisSeconds);
  gauges.diallingPaused(reading && Number(reading.diallingPaused));
  gauges.slotsLimit(reading && reading.capacity);
  gauges.openCalls(reading ? callsByStatus(reading) : NOTHING);
  gauges.fundsHeld(reading ? heldByCurrency(reading) : NOTHING);
  const balances = reading?.balances ?? [];
  gauges.fundsLimit(
    new Map(balances.map(({ currency, balanceMicros }) => [currency, Number(balanceMicros) / MICROS_PER_UNIT])),
  );
}

function callsByStatus({ openCalls }: SystemReading): ReadonlyMap<string, number> {
  const calls = new Map<string, number>(OPEN_STATUSES.map((status) => [status, 0]));
  for (const { status } of openCalls) calls.set(status, (calls.get(status) ?? 0) + 1);
  return calls;
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

function heldByCurrency({ openCalls }: SystemReading): ReadonlyMap<string, number> {
  const held = new Map<string, bigint>();
  for (const { currency, holdMicros } of openCalls) held.set(currency, (held.get(currency) ?? 0n) + holdMicros);
  return new Map([...held].map(([currency, amount]) => [currency, Number(amount) / MICROS_PER_UNIT]));
}

/** Readings that were not compared yet. A compared one is undefined until the next one: comparing it twice says nothing. */
interface PendingReadings {
  postgres: SystemReading | null | undefined;
  gate: GateReading | null | undefined;
}

function compare(drift: DriftWatch, show: SetGauges, unseen: PendingReadings): void {
  const { postgres, gate } = unseen;
  if (postgres === undefined || gate === undefined) return;
  unseen.postgres = undefined;
  unseen.gate = undefined;
  if (!postgres || !gate?.holds) {
    drift.forget();
    return show(NOTHING);
  }
  const counts = drift.compare(postgres.openCalls, gate.holds);
  show(new Map(DRIFT_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])));
}
