import { info, warn } from './log-event.ts';

export const EVALUATION_EVENTS = {
  'evaluation.run_ended': info('A conversation with a simulated callee ended; `verdict` says how it was judged.'),
  'evaluation.run_failed': warn(
    'A conversation with a simulated callee could not go on.',
    'Look for what happened to its provider before.',
  ),
  'evaluation.judge_failed': warn(
    'A conversation with a simulated callee could not be judged; the worker repeats it a few times.',
    'Look for what happened to the provider of the judge before.',
  ),
  'evaluation.runs_lost': warn(
    'Conversations with simulated callees lost their worker. They end as `worker_lost`, and are charged what they used.',
    'Look for why a worker ended.',
  ),
} as const;
