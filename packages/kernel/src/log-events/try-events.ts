import { info, warn } from './log-event.ts';

export const TRY_EVENTS = {
  'try.charge_delayed': warn(
    'The end of a conversation in text could not be written; the worker repeats it and charges once.',
    'See OutdialStoreAway in the runbook.',
  ),
  'try.ended': info('A conversation in text ended; `reason` says why.'),
  'try.failed': warn('A conversation in text could not go on.', 'Look for what happened to its provider before.'),
} as const;
