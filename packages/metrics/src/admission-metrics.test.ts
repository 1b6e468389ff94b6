import type { SystemReading } from '@outdial/calls';
import { systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createExposition } from './exposition.ts';
import { createReadingSuccess } from './reading-success.ts';
import { measureSystem } from './system-metrics.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

const NOW = 1_000_000_000_000;
const clock = { ...systemClock, nowMs: () => NOW };

const QUIET: SystemReading = {
  capacity: 100,
  balances: [],
  scheduledCalls: [],
  oldestDueScheduledMs: null,
  campaigns: [],
  stockCalls: 0,
  retentionLagSeconds: 60,
  oldestAnalysisSeconds: 0,
  diallingPaused: false,
};

async function exposed(reading: Partial<SystemReading>): Promise<string> {
  const exposition = createExposition();
  const gate = {
    state: async () => ({ open: false, token: null, slotsInUse: 0 }),
  };
  const reader = { read: async () => ({ ...QUIET, ...reading }) };
  measureSystem(exposition, createReadingSuccess(exposition), { reader, gate, clock });
  return exposition.expose();
}

test('admissions are counted by outcome, with how late they were', async () => {
  const metrics = createWorkerMetrics(clock);
  const { admissions, missedTurns } = metrics;
  for (const outcome of ['admitted', 'admitted', 'capacity', 'postponed'] as const) admissions.admission(outcome);
  admissions.late(120);
  missedTurns(2);
  const text = await metrics.expose();
  expect(text).toContain('outdial_admissions_total{outcome="admitted"} 2\n');
  expect(text).toContain('outdial_admissions_total{outcome="capacity"} 1\n');
  expect(text).toContain('outdial_admissions_total{outcome="postponed"} 1\n');
  expect(text).toContain('outdial_admissions_total{outcome="funds"} 0\n');
  expect(text).toContain('outdial_schedule_lateness_seconds_bucket{le="0.1"} 0\n');
  expect(text).toContain('outdial_schedule_lateness_seconds_bucket{le="0.25"} 1\n');
  expect(text).toContain('outdial_missed_turns_total 2\n');
});

test('scheduled calls that end count as ended calls', async () => {
  const metrics = createWorkerMetrics(clock);
  const { admissions } = metrics;
  admissions.ended('schedule_expired', 3);
  admissions.ended('not_permitted', 1);
  const text = await metrics.expose();
  expect(text).toContain('outdial_calls_ended_total{reason="schedule_expired"} 3\n');
  expect(text).toContain('outdial_calls_ended_total{reason="not_permitted"} 1\n');
});

test('scheduled calls are shown by what they wait for, with the lateness of the longest due one', async () => {
  const scheduledCalls = [
    { waitingFor: 'time', calls: 7 },
    { waitingFor: 'window', calls: 3 },
    { waitingFor: 'cap', calls: 1 },
    { waitingFor: null, calls: 2 },
  ] as const;
  const text = await exposed({ scheduledCalls, oldestDueScheduledMs: NOW - 1_500 });
  for (const [state, count] of Object.entries({ time: 7, capacity: 0, funds: 0, window: 3, cap: 1, nothing: 2 }))
    expect(text).toContain(`outdial_scheduled_calls{waiting_for="${state}"} ${count}\n`);
  expect(text).toContain('outdial_oldest_due_scheduled_call_seconds 1.5\n');
});

test('without a due call nothing is late', async () => {
  expect(await exposed({})).toContain('outdial_oldest_due_scheduled_call_seconds 0\n');
  const dueByOurClockOnly = await exposed({ oldestDueScheduledMs: NOW + 20 });
  expect(dueByOurClockOnly).toContain('outdial_oldest_due_scheduled_call_seconds 0\n');
});
