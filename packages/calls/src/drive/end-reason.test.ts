import { ANSWERED_BY, ENDED_REASONS } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { legEnd } from '../../test/fake-carrier.ts';
import type { LegOutcome } from '../ports/carrier.ts';
import { endedReasonOf, type HangUpCause } from './end-reason.ts';

const OUTCOMES: readonly LegOutcome[] = [
  'completed',
  'busy',
  'no_answer',
  'declined',
  'invalid_destination',
  'rejected',
  'unavailable',
  'cancelled',
  'no_audio',
  'silenced',
  'not_dialled',
];
const CAUSES: readonly HangUpCause[] = [
  'agent_hangup',
  'voicemail_reached',
  'call_screened',
  'silence_timeout',
  'agent_error',
  'end_requested',
  'max_duration',
  'funds_exhausted',
  'ring_timeout',
  'lease_lost',
  'shutdown',
];

test('every end has a reason from the closed list, in every combination', () => {
  for (const outcome of OUTCOMES) {
    for (const by of ['callee', 'us', 'carrier'] as const) {
      for (const cause of [...CAUSES, null]) {
        for (const answeredBy of [...ANSWERED_BY, null]) {
          const reason = endedReasonOf({ dialled: true, end: legEnd({ outcome, by }), cause, answeredBy });
          expect(Object.keys(ENDED_REASONS)).toContain(reason);
        }
      }
    }
  }
});

test.each([
  ['busy', 'busy'],
  ['no_answer', 'no_answer'],
  ['declined', 'declined'],
  ['invalid_destination', 'invalid_destination'],
  ['rejected', 'carrier_rejected'],
  ['unavailable', 'carrier_unavailable'],
] as const)('a final response %s ends the call %s, even while we were giving up', (outcome, reason) => {
  for (const cause of [null, 'end_requested', 'ring_timeout'] as const) {
    expect(endedReasonOf({ dialled: true, end: legEnd({ outcome }), cause, answeredBy: null })).toBe(reason);
  }
});

test.each([
  ['end_requested', 'hung_up_by_api'],
  ['max_duration', 'max_duration_reached'],
  ['funds_exhausted', 'funds_exhausted'],
  ['agent_hangup', 'agent_hangup'],
  ['voicemail_reached', 'voicemail_reached'],
  ['silence_timeout', 'silence_timeout'],
  ['lease_lost', 'worker_lost'],
  ['shutdown', 'worker_lost'],
] as const)('an answered call that we hung up for %s ends %s, whichever side hung up first', (cause, reason) => {
  for (const by of ['us', 'callee'] as const) {
    expect(
      endedReasonOf({ dialled: true, end: legEnd({ outcome: 'completed', by }), cause, answeredBy: 'human' }),
    ).toBe(reason);
  }
});

test.each([
  ['human', 'callee_hangup'],
  ['ivr', 'callee_hangup'],
  ['unknown', 'callee_hangup'],
  ['voicemail', 'voicemail_reached'],
  ['screening', 'call_screened'],
  [null, 'callee_hangup'],
] as const)('a hang-up by %s at the far end ends the call %s', (answeredBy, reason) => {
  expect(endedReasonOf({ dialled: true, end: legEnd({ outcome: 'completed' }), cause: null, answeredBy })).toBe(reason);
});

test('an answered call that the network drops is charged, and is not marked retryable', () => {
  const reason = endedReasonOf({
    dialled: true,
    end: legEnd({ outcome: 'completed', by: 'carrier' }),
    cause: null,
    answeredBy: null,
  });
  expect(reason).toBe('connection_lost');
  expect(ENDED_REASONS[reason]).toMatchObject({ billable: true, retryable: false });
});

test('a call given up before anything was sent is cancelled if its end was requested, and worker_lost if not', () => {
  for (const outcome of ['not_dialled', 'cancelled'] as const) {
    const ending = { end: legEnd({ outcome, by: 'us' }), dialled: false, answeredBy: null };
    expect(endedReasonOf({ ...ending, cause: 'end_requested' })).toBe('cancelled');
    expect(endedReasonOf({ ...ending, cause: 'shutdown' })).toBe('worker_lost');
    expect(endedReasonOf({ ...ending, cause: null })).toBe('worker_lost');
  }
});
