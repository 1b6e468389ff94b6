import { info, warn } from './log-event.ts';

const RUNBOOK = 'See OutdialAnalysesWait in the runbook if it repeats.';

export const ANALYSIS_EVENTS = {
  'analysis.charge_delayed': warn(
    'The end of an analysis could not be written; the worker repeats it and charges once.',
    'See OutdialStoreAway in the runbook.',
  ),
  'analysis.completed': info('An ended call was analyzed; its result and its charge are stored.'),
  'analysis.failed': warn('An ended call could not be analyzed; `problem` says why.', RUNBOOK),
  'analysis.queue_failed': warn('The queue did not take an analysis; the reconcile loop adds it.', RUNBOOK),
  'analysis.rejected': warn(
    'The provider rejected the request for an analysis: its key, its model or its content.',
    'Check the credential and the model of the agent.',
  ),
  'analysis.requeued': warn('Analyses had lost their jobs; the reconcile loop queued them again.', RUNBOOK),
  'analysis.retried': warn('A try to analyze a call failed; another one follows.', RUNBOOK),
  'analysis.skipped': info('An ended call was not analyzed; `problem` says why.'),
} as const;
