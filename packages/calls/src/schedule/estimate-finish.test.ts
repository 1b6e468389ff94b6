import { describe, expect, it } from 'vitest';
import type { CampaignWindow } from '../ports/schedule-store.ts';
import { estimateFinish, everOpens } from './estimate-finish.ts';

const HOUR_MS = 3_600_000;
/** A Tuesday. */
const NOON_MS = Date.parse('2026-12-01T12:00:00Z');
const CLOSED = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] };
/** Two hours on Tuesdays, and one on Wednesdays. */
const WINDOW: CampaignWindow = { timeZone: 'Etc/UTC', week: { ...CLOSED, tue: ['11:00-13:00'], wed: ['09:00-10:00'] } };
const NEVER: CampaignWindow = { timeZone: 'Etc/UTC', week: CLOSED };

const finish = (hours: number, window: CampaignWindow | null) => {
  const atMs = estimateFinish(hours * HOUR_MS, window, NOON_MS);
  return atMs === null ? null : new Date(atMs).toISOString();
};

describe('the estimated finish', () => {
  it('counts the hours of the campaign alone', () => {
    expect(finish(30, null)).toBe('2026-12-02T18:00:00.000Z');
    expect(finish(0.5, WINDOW)).toBe('2026-12-01T12:30:00.000Z');
    expect(finish(1.5, WINDOW)).toBe('2026-12-02T09:30:00.000Z');
    expect(finish(2.5, WINDOW)).toBe('2026-12-08T11:30:00.000Z');
  });

  it('is not known for hours that never open, or for more work than 90 days have hours for', () => {
    expect(finish(1, NEVER)).toBeNull();
    expect(finish(60, WINDOW)).toBeNull();
  });
});

it('a window opens ever only if it does before the end', () => {
  expect(everOpens(WINDOW, NOON_MS)).toBe(true);
  expect(everOpens(WINDOW, NOON_MS + HOUR_MS, NOON_MS + 20 * HOUR_MS)).toBe(false);
  expect(everOpens(WINDOW, NOON_MS + HOUR_MS, NOON_MS + 22 * HOUR_MS)).toBe(true);
  expect(everOpens(NEVER, NOON_MS)).toBe(false);
});
