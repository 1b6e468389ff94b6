import { info, warn } from './log-event.ts';

export const TRY_EVENTS = {
  'try.charge_delayed': warn(
    'The end of a try could not be written; the worker repeats it and charges once.',
    'See OutdialStoreAway in the runbook.',
  ),
  'try.ended': info('A try ended; `reason` says why.'),
  'try.failed': warn('A try could not go on.', 'Look for what happened to its provider before.'),
} as const;
