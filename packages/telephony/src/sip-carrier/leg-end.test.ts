import { endedReasonOf } from '@outdial/calls';
import { ENDED_REASONS } from '@outdial/contracts';
import { sessionEnd, type SessionEnd } from '@outdial/sip';
import { describe, expect, test } from 'vitest';
import { legEndOf, mayTryNextTrunk } from './leg-end.ts';

/** The ended reason for a SIP session's end, if we did not hang up for a reason of our own. */
function verdictOn(end: SessionEnd) {
  const reason = endedReasonOf({ end: legEndOf(end), dialled: true, cause: null, answeredBy: 'human' });
  return { reason, billable: ENDED_REASONS[reason].billable };
}

const refused = (sipCode: number, q850Cause: number | null = null) =>
  sessionEnd('refused', 'remote', '', { sipCode, q850Cause });

describe('a rejection ends the call without a charge', () => {
  test.each([
    [400, 'carrier_rejected'],
    [403, 'carrier_rejected'],
    [404, 'invalid_destination'],
    [408, 'no_answer'],
    [410, 'invalid_destination'],
    [480, 'no_answer'],
    [484, 'invalid_destination'],
    [486, 'busy'],
    [488, 'carrier_rejected'],
    [500, 'carrier_unavailable'],
    [502, 'carrier_unavailable'],
    [503, 'carrier_unavailable'],
    [504, 'carrier_unavailable'],
    [600, 'busy'],
    [603, 'declined'],
    [604, 'invalid_destination'],
    [607, 'declined'],
  ] as const)('%d: %s', (sipCode, reason) => {
    expect(verdictOn(refused(sipCode))).toEqual({ reason, billable: false });
    expect(legEndOf(refused(sipCode)).sipCode).toBe(sipCode);
  });

  test('a cause of the telephone network refines a vague code', () => {
    expect(verdictOn(refused(480, 17)).reason).toBe('busy');
    expect(legEndOf(refused(480, 17))).toMatchObject({ by: 'callee', q850Cause: 17 });
    expect(verdictOn(refused(500, 1)).reason).toBe('invalid_destination');
    expect(legEndOf(refused(500, 1))).toMatchObject({ by: 'carrier' });
  });
});

test.each([
  ['completed', 'remote', 'callee_hangup', true],
  ['completed', 'local', 'max_duration_reached', true],
  ['redirected', 'remote', 'carrier_rejected', false],
  ['unauthorized', 'remote', 'carrier_rejected', false],
  ['no_answer', 'local', 'no_answer', false],
  ['cancelled', 'local', 'no_answer', false],
  ['not_dialled', 'local', 'worker_lost', true],
  ['unsent', 'network', 'carrier_unavailable', false],
  ['silent', 'network', 'carrier_unavailable', false],
  ['no_media', 'local', 'no_audio', true],
  ['lost', 'network', 'connection_lost', true],
] as const)(
  'a session that ends %s by %s ends the call %s, billable if answered: %s',
  (outcome, by, reason, billable) => {
    expect(verdictOn(sessionEnd(outcome, by, ''))).toEqual({ reason, billable });
  },
);

test('another trunk is tried only after a final 503, or when no byte was sent', () => {
  const retried = [refused(503), sessionEnd('unsent', 'network', '')];
  const final = [
    ...[302, 401, 404, 408, 480, 486, 487, 500, 502, 504, 600, 603].map((sipCode) => refused(sipCode)),
    ...(
      ['silent', 'redirected', 'unauthorized', 'no_answer', 'cancelled', 'completed', 'lost', 'no_media'] as const
    ).map((outcome) => sessionEnd(outcome, 'network', '')),
    // A call that was answered and lost with a later 503 is not a rejection of the INVITE.
    sessionEnd('lost', 'network', '', { sipCode: 503 }),
  ];
  for (const end of retried) expect(mayTryNextTrunk(end)).toBe(true);
  for (const end of final)
    expect([end.outcome, end.sipCode, mayTryNextTrunk(end)]).toEqual([end.outcome, end.sipCode, false]);
});
