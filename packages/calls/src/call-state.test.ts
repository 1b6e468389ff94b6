import { CALL_STATUSES } from '@outdial/contracts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advance, type CallTrigger } from './call-state.ts';

const TRIGGERS: readonly CallTrigger[] = ['admitted', 'claimed', 'provisional_response', 'answered', 'finished'];

describe('the status of a call', () => {
  it('only moves forward, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 12 }), (triggers) => {
        let status: (typeof CALL_STATUSES)[number] = 'scheduled';
        for (const trigger of triggers) {
          const next = advance(status, trigger);
          if (next === null) continue;
          expect(CALL_STATUSES.indexOf(next)).toBeGreaterThan(CALL_STATUSES.indexOf(status));
          status = next;
        }
      }),
    );
  });

  it('may become ended from every other status, and is final then', () => {
    for (const status of CALL_STATUSES) expect(advance(status, 'finished')).toBe(status === 'ended' ? null : 'ended');
    for (const trigger of TRIGGERS) expect(advance('ended', trigger)).toBeNull();
  });

  it('is in progress only after an answer, with or without ringing before', () => {
    expect(advance('dialing', 'answered')).toBe('in_progress');
    expect(advance('ringing', 'provisional_response')).toBeNull();
    expect(advance('queued', 'answered')).toBeNull();
  });

  it('is claimed only after it was admitted, and admitted only once', () => {
    expect(advance('scheduled', 'admitted')).toBe('queued');
    expect(advance('scheduled', 'claimed')).toBeNull();
    expect(advance('queued', 'admitted')).toBeNull();
  });
});
