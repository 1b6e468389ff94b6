import { createCallSchema } from '@outdial/contracts';
import { describe, expect, it } from 'vitest';
import { askSchedule } from './ask-schedule.ts';

const NOW = Date.parse('2026-12-01T09:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const TTL_SECONDS = 600;

const at = (fromNowMs: number) => new Date(NOW + fromNowMs).toISOString();

function asked(fields: Readonly<Record<string, unknown>>) {
  const body = { to_number: '+12025550143', agent_id: '0b000000-0000-4000-8000-000000000001', ...fields };
  return askSchedule(createCallSchema.parse(body), NOW, TTL_SECONDS);
}

const problem = (param: string, message: string) => ({ kind: 'invalid_request', details: [{ param, message }] });

describe('a call without a time', () => {
  it('is dialed at once, is not retried, and waits in the queue as long as any', () => {
    const waits = { whenFull: null, whenClosed: null, isOpenEnded: true };
    const plain = { kind: 'at_once', schedule: null, ...waits, queueTtlSeconds: TTL_SECONDS };
    expect(asked({})).toEqual(plain);
    expect(asked({ on_capacity: 'reject' })).toEqual(plain);
  });

  it('with retries is given up after seven days, and retried after what promises most unless it says more', () => {
    const retry = {
      maxAttempts: 3,
      on: ['busy', 'no_answer', 'carrier_unavailable'],
      afterSeconds: [900, 3_600, 14_400],
    };
    const schedule = { scheduledForMs: null, giveUpAtMs: NOW + 7 * DAY, retry };
    expect(asked({ retry: { max_attempts: 3 } })).toMatchObject({ kind: 'at_once', schedule, whenFull: null });
    const own = asked({ retry: { max_attempts: 2, on: ['worker_lost'], after_seconds: [60] } });
    expect(own).toMatchObject({ schedule: { retry: { maxAttempts: 2, on: ['worker_lost'], afterSeconds: [60] } } });
  });

  it('that may wait for a slot is due at once, and given up when its time in the queue would be over', () => {
    const whenFull = { scheduledForMs: NOW, giveUpAtMs: NOW + TTL_SECONDS * 1_000, retry: null };
    expect(asked({ on_capacity: 'queue' })).toMatchObject({ kind: 'at_once', schedule: null, whenFull });
  });

  it('that may wait for a slot and is retried keeps its retries either way', () => {
    const both = asked({ on_capacity: 'queue', retry: { max_attempts: 2 } });
    const common = { giveUpAtMs: NOW + 7 * DAY, retry: { maxAttempts: 2 } };
    expect(both).toMatchObject({
      schedule: { ...common, scheduledForMs: null },
      whenFull: { ...common, scheduledForMs: NOW },
    });
  });

  it.each([
    ['a retried', { retry: { max_attempts: 2 } }],
    ['a waiting', { on_capacity: 'queue' }],
  ])('%s one is given up when it says, also in the queue', (_name, fields) => {
    const dial = asked({ ...fields, expires_at: at(90_500) });
    expect(dial).toMatchObject({ kind: 'at_once', queueTtlSeconds: 91 });
    const schedule = dial.kind === 'at_once' ? (dial.schedule ?? dial.whenFull) : null;
    expect(schedule?.giveUpAtMs).toBe(NOW + 90_500);
  });
});

describe('a call for later', () => {
  it('is given up a day after its time, with retries after seven, and when it says', () => {
    const scheduledForMs = NOW + 10 * MINUTE;
    const later = { scheduled_for: at(10 * MINUTE) };
    const schedule = { scheduledForMs, giveUpAtMs: scheduledForMs + DAY, retry: null };
    expect(asked(later)).toEqual({ kind: 'later', schedule, whenClosed: schedule, isOpenEnded: true });
    const retried = asked({ ...later, retry: { max_attempts: 2 } });
    expect(retried).toMatchObject({ schedule: { giveUpAtMs: scheduledForMs + 7 * DAY } });
    const bounded = asked({ ...later, expires_at: at(11 * MINUTE) });
    expect(bounded).toMatchObject({ schedule: { giveUpAtMs: NOW + 11 * MINUTE } });
  });

  it('waits for a slot in any case: on_capacity changes nothing', () => {
    const later = { scheduled_for: at(MINUTE) };
    expect(asked({ ...later, on_capacity: 'queue' })).toEqual(asked(later));
  });

  it('has its moment in any offset', () => {
    const scheduled_for = '2026-12-01T12:00:00+02:00';
    expect(asked({ scheduled_for })).toMatchObject({ schedule: { scheduledForMs: NOW + 60 * MINUTE } });
  });

  it('counts a time up to a minute past as now', () => {
    for (const ms of [-MINUTE, 0])
      expect(asked({ scheduled_for: at(ms) })).toMatchObject({ kind: 'later', schedule: { scheduledForMs: NOW } });
  });

  it.each([
    ['more than a minute past', -MINUTE - 1, 'is more than 60 seconds past'],
    ['more than 90 days ahead', 90 * DAY + 1, 'is more than 90 days ahead'],
  ])('is rejected if it is %s', (_name, ms, message) => {
    expect(asked({ scheduled_for: at(ms) })).toEqual(problem('scheduled_for', message));
  });

  it('may be 90 days ahead', () => {
    expect(asked({ scheduled_for: at(90 * DAY) }).kind).toBe('later');
  });
});

describe('the time to give up', () => {
  it.each<[string, object, string]>([
    ['at the scheduled time', { scheduled_for: at(MINUTE), expires_at: at(MINUTE) }, 'must be after scheduled_for'],
    [
      'after the scheduled time and yet past',
      { scheduled_for: at(-MINUTE), expires_at: at(-1) },
      'must be in the future',
    ],
    ['past', { retry: { max_attempts: 2 }, expires_at: at(0) }, 'must be in the future'],
    ['too far', { scheduled_for: at(MINUTE), expires_at: at(90 * DAY + 1) }, 'is more than 90 days ahead'],
    [
      'of a call that is dialed once, at once',
      { expires_at: at(MINUTE) },
      'needs scheduled_for, retry, on_capacity: queue or on_closed: wait',
    ],
  ])('%s is rejected', (_name, fields, message) => {
    expect(asked({ ...fields })).toEqual(problem('expires_at', message));
  });

  it('is reported together with a wrong scheduled time', () => {
    expect(asked({ scheduled_for: at(91 * DAY), expires_at: at(MINUTE) })).toMatchObject({
      details: [{ param: 'scheduled_for' }, { param: 'expires_at' }],
    });
  });
});
