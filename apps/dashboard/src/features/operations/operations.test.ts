import type { OperationsBody } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './problems.ts';
import { campaignCounts, oldestWords } from './schedule-words.ts';
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
  schedule: null,
};
const titles = (changes: Partial<OperationsBody>) => problemsOf({ ...CALM, ...changes }).map(({ title }) => title);

const condition = (worker_id: string, state: 'up' | 'unreachable', detail: string | null = null) => ({
  worker_id,
  state,
  detail,
});
const minute = (at: string, p95: number) => ({ at, calls: 2, p50_ms: 10, p95_ms: p95 });

describe('the problems on the operations page', () => {
  it('are none while all is well', () => {
    expect(titles({})).toEqual([]);
  });

  const PROBLEMS: readonly (readonly [string, Partial<OperationsBody>])[] = [
    ['Redis is unavailable', { gate: null, drift_slots: null }],
    ['The admission gate is closed', { gate: { open: false, generation: 1, slots_in_use: 0 } }],
    ['Redis and Postgres disagree', { drift_slots: -1 }],
    ['1 call has lost its worker', { calls: { ...CALM.calls, orphaned: 1 } }],
    ['No active workers', { workers: [] }],
    ['No active workers', { workers: [{ ...WORKER, state: 'draining' }] }],
  ];
  it.each(PROBLEMS)('include: %s', (title, changes) => {
    expect(titles(changes)).toEqual([title]);
  });
});

describe('the health of a trunk', () => {
  it('is what the workers agree on, else how many report a problem, and why', () => {
    expect(healthOf({ enabled: false, conditions: [condition('one', 'up')] }).label).toBe('Disabled');
    expect(healthOf({ enabled: true, conditions: [] })).toMatchObject({ label: 'Unknown', tone: 'warning' });
    expect(healthOf({ enabled: true, conditions: [condition('one', 'up'), condition('two', 'up')] }).label).toBe('Up');
    expect(
      healthOf({ enabled: true, conditions: [condition('one', 'up'), condition('two', 'unreachable', 'no answer')] }),
    ).toEqual({
      label: 'Unreachable from 1 of 2 workers',
      tone: 'bad',
      details: ['no answer'],
    });
  });
});

describe('waiting times', () => {
  const waiting = [minute('2026-11-20T12:00:00.000Z', 40), minute('2026-11-20T12:03:00.000Z', 1_500)];

  it('have a point for each minute, and a gap without calls', () => {
    const points = pointsOf(waiting);
    expect(points.map(({ p50 }) => p50)).toEqual([10, null, null, 10]);
    expect(pointsOf([])).toEqual([]);
  });

  it('have a worst case and a short format', () => {
    expect(worstWaitMs(waiting)).toBe(1_500);
    expect(worstWaitMs([])).toBeNull();
    expect([formatWait(39.6), formatWait(1_540)]).toEqual(['40 ms', '1.5 s']);
  });
});

describe('scheduled calls and campaigns', () => {
  it('say how long the first due call has been due', () => {
    const nowMs = Date.parse('2026-11-20T12:01:05.000Z');
    expect(oldestWords('2026-11-20T12:00:00.000Z', nowMs)).toBe('Due for 1 min 5 s');
    expect(oldestWords(null, nowMs)).toBe('None due');
  });

  it('count the campaigns by state', () => {
    const campaigns = [
      { state: 'paused', campaigns: 1 },
      { state: 'running', campaigns: 1_200 },
    ] as const;
    expect(campaignCounts({ campaigns: [...campaigns] })).toEqual({ total: 1_201, words: '1 paused, 1,200 running' });
    expect(campaignCounts({ campaigns: [] })).toEqual({ total: 0, words: 'None' });
  });
});
