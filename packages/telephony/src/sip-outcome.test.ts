import { describe, expect, it } from 'vitest';
import { outcomeOfRefusal } from './sip-outcome.ts';

describe('what a rejection means', () => {
  it.each([
    [302, 'rejected'],
    [401, 'rejected'],
    [403, 'rejected'],
    [404, 'invalid_destination'],
    [408, 'no_answer'],
    [410, 'invalid_destination'],
    [480, 'no_answer'],
    [484, 'invalid_destination'],
    [486, 'busy'],
    [487, 'no_answer'],
    [488, 'rejected'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [504, 'unavailable'],
    [600, 'busy'],
    [603, 'declined'],
    [604, 'invalid_destination'],
    [606, 'rejected'],
    [607, 'declined'],
  ] as const)('%d is %s', (sipCode, outcome) => {
    expect(outcomeOfRefusal(sipCode)).toBe(outcome);
  });

  it.each([
    [480, 17, 'busy'],
    [480, 21, 'declined'],
    [480, 31, 'no_answer'],
    [500, 1, 'invalid_destination'],
    [502, 28, 'invalid_destination'],
    [504, 19, 'no_answer'],
    [500, 34, 'unavailable'],
    // The code itself is specific, whatever a gateway adds.
    [486, 1, 'busy'],
    [404, 17, 'invalid_destination'],
    // About the trunk, not about the callee.
    [503, 17, 'unavailable'],
  ] as const)('%d for cause %d is %s', (sipCode, q850Cause, outcome) => {
    expect(outcomeOfRefusal(sipCode, q850Cause)).toBe(outcome);
  });
});
