import type { OperationsBody } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { troublesOf } from './troubles.ts';
import { healthOf } from './trunk-health.ts';
import { formatWait, pointsOf, worstWaitMs } from './waiting.ts';

const WORKER = {
  id: 'host:7:one',
  host: 'host',
  version: '1.0.0',
  started_at: '2026-11-20T12:00:00.000Z',
  seen_at: '2026-11-20T12:00:00.000Z',
  state: 'taking',
  live_calls: 0,
  concurrency: 200,
  oldest_lease_seconds: null,
} as const;

const CALM: OperationsBody = {
  dialling: { paused: false, changed_at: null, changed_by: null },
  workers: [WORKER],
  gate: { open: true, generation: 1, slots_in_use: 0 },
  calls: { open: 0, queued: 0, limit: 100, orphaned: 0, oldest_queued_seconds: 0 },
  funds: [],
  drift_slots: 0,
  queue: { waiting: 0, delayed: 0, active: 0 },
  trunks: [],
  waiting: [],
};
const titles = (changes: Partial<OperationsBody>) => troublesOf({ ...CALM, ...changes }).map(({ title }) => title);

const told = (worker_id: string, state: 'up' | 'unreachable', detail: string | null = null) => ({
  worker_id,
  state,
  detail,
});
const minute = (at: string, p95: number) => ({ at, calls: 2, p50_ms: 10, p95_ms: p95 });

describe('what to see to first', () => {
  it('is nothing while all is well', () => {
    expect(titles({})).toEqual([]);
  });

  const TROUBLES: readonly (readonly [string, Partial<OperationsBody>])[] = [
    ['Redis does not answer', { gate: null, drift_slots: null }],
    ['The admission gate is closed', { gate: { open: false, generation: 1, slots_in_use: 0 } }],
    ['The gate and Postgres differ', { drift_slots: -1 }],
    ['A call has lost its worker', { calls: { ...CALM.calls, orphaned: 1 } }],
    ['No worker takes calls', { workers: [] }],
    ['No worker takes calls', { workers: [{ ...WORKER, state: 'draining' }] }],
  ];
  it.each(TROUBLES)('is named: %s', (title, changes) => {
    expect(titles(changes)).toEqual([title]);
  });
});

describe('the health of a trunk', () => {
  it('is what the workers agree on, or how many see it so, and why', () => {
    expect(healthOf({ enabled: false, conditions: [told('one', 'up')] }).label).toBe('Disabled');
    expect(healthOf({ enabled: true, conditions: [] })).toMatchObject({ label: 'Not known', tone: 'warning' });
    expect(healthOf({ enabled: true, conditions: [told('one', 'up'), told('two', 'up')] }).label).toBe('Up');
    expect(
      healthOf({ enabled: true, conditions: [told('one', 'up'), told('two', 'unreachable', 'no answer')] }),
    ).toEqual({
      label: 'Unreachable for 1 of 2',
      tone: 'bad',
      details: ['no answer'],
    });
  });
});

describe('waiting times', () => {
  const waiting = [minute('2026-11-20T12:00:00.000Z', 40), minute('2026-11-20T12:03:00.000Z', 1_500)];

  it('have a point for each minute, and a gap where no call was accepted', () => {
    const points = pointsOf(waiting);
    expect(points.map(({ Half }) => Half)).toEqual([10, null, null, 10]);
    expect(pointsOf([])).toEqual([]);
  });

  it('are summed up in words', () => {
    expect(worstWaitMs(waiting)).toBe(1_500);
    expect(worstWaitMs([])).toBeNull();
    expect([formatWait(39.6), formatWait(1_540)]).toEqual(['40 ms', '1.5 s']);
  });
});
