import { CALL_STATUSES } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { progressSteps } from './progress-steps.ts';

const TIME = '2026-11-20T14:26:00.000Z';

test('a call that was never scheduled has no step for it', () => {
  const steps = progressSteps({ status: 'dialing', scheduled_for: null }, [{ type: 'queued' }, { type: 'dialing' }]);
  expect(steps).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
});

test('a scheduled call keeps its first step after it is admitted', () => {
  expect(progressSteps({ status: 'scheduled', scheduled_for: null }, [])).toEqual(CALL_STATUSES);
  expect(progressSteps({ status: 'ringing', scheduled_for: TIME }, [])).toEqual(CALL_STATUSES);
  expect(progressSteps({ status: 'ringing', scheduled_for: null }, [{ type: 'scheduled' }])).toEqual(CALL_STATUSES);
});
