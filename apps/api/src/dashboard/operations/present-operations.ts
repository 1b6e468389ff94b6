import type { GateState, OpenCallsReading, SystemReading } from '@outdial/calls';
import {
  micros,
  microsToDecimal,
  type Micros,
  type OperationsBody,
  type TrunkConditionBody,
  type TrunkName,
  type WorkerBody,
} from '@outdial/contracts';
import type { DiallingRecord, ScheduledCounts, TrunkRecord, WorkerRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';
import type { QueueCounts } from '@outdial/queue';
import type { SlowReading } from './slow-figures.ts';

/** Null while Redis is away. */
export interface OperationsReadings extends SlowReading {
  readonly dialling: DiallingRecord;
  readonly workers: readonly WorkerRecord[];
  readonly system: SystemReading;
  readonly open: OpenCallsReading;
  readonly trunks: readonly TrunkRecord[];
  readonly inUse: ReadonlyMap<TrunkName, number>;
  readonly gate: GateState | null;
  readonly queue: QueueCounts | null;
}

export function presentOperations(readings: OperationsReadings): OperationsBody {
  const { dialling, workers, system, open, trunks, inUse, gate, queue, waiting, schedule } = readings;
  const { openCalls, orphanedCalls, oldestQueuedSeconds } = open;
  const openCount = sumOf(openCalls);
  return {
    dialling: {
      paused: dialling.paused,
      changed_at: timestampOrNull(dialling.changedAtMs),
      changed_by: dialling.changedBy,
    },
    workers: workers.map((worker) => presentWorker(worker)),
    gate: gate && { open: gate.open, generation: gate.token?.generation ?? 0, slots_in_use: gate.slotsInUse },
    calls: {
      open: openCount,
      queued: sumOf(openCalls.filter(({ status }) => status === 'queued')),
      limit: system.capacity,
      orphaned: orphanedCalls,
      oldest_queued_seconds: oldestQueuedSeconds,
    },
    funds: presentFunds(open, system),
    drift_slots: gate && gate.slotsInUse - openCount,
    queue: queue && { ...queue },
    trunks: trunks.map((trunk) => presentTrunk(trunk, inUse.get(trunk.name) ?? 0)),
    waiting: waiting.map(({ atMs, calls, p50Ms, p95Ms }) => ({
      at: timestamp(atMs),
      calls,
      p50_ms: p50Ms,
      p95_ms: p95Ms,
    })),
    schedule: schedule && {
      ...presentScheduled(schedule),
      accounts: schedule.accounts.map(({ accountId, name, ...counts }) => {
        return { account_id: accountId, name, ...presentScheduled(counts) };
      }),
      campaigns: [...schedule.campaigns],
    },
  };
}

function presentScheduled({ scheduled, due, late, oldestDueMs }: ScheduledCounts) {
  return { scheduled, due, late, oldest_due_at: timestampOrNull(oldestDueMs) };
}

function presentWorker({ startedAtMs, seenAtMs, liveCalls, oldestLeaseSeconds, ...worker }: WorkerRecord): WorkerBody {
  return {
    ...worker,
    started_at: timestamp(startedAtMs),
    seen_at: timestamp(seenAtMs),
    live_calls: liveCalls,
    oldest_lease_seconds: oldestLeaseSeconds,
  };
}

function presentTrunk(trunk: TrunkRecord, inUse: number): TrunkConditionBody {
  return {
    name: trunk.name,
    enabled: trunk.enabled,
    channels: trunk.channels,
    calls_per_second: trunk.callsPerSecond,
    in_use: inUse,
    conditions: trunk.health.map(({ workerId, state, detail }) => ({ worker_id: workerId, state, detail })),
  };
}

function sumOf(counts: readonly { readonly calls: number }[]): number {
  return counts.reduce((sum, { calls }) => sum + calls, 0);
}

function presentFunds({ openCalls }: OpenCallsReading, { balances }: SystemReading): OperationsBody['funds'] {
  const held = new Map<string, Micros>();
  for (const { currency, heldMicros } of openCalls) {
    held.set(currency, micros((held.get(currency) ?? micros(0)) + heldMicros));
  }
  return balances.map(({ currency, balanceMicros }) => ({
    currency,
    held: microsToDecimal(held.get(currency) ?? micros(0)),
    balance: microsToDecimal(balanceMicros),
  }));
}
