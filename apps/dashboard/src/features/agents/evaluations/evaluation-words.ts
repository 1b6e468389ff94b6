import type { EvaluationRunBody, EvaluationSummaryBody, RunEndReason, Verdict } from '@outdial/contracts';
import type { Tone } from '../../../shared/words/tone.ts';

interface Wording {
  readonly label: string;
  readonly tone: Tone;
}

const VERDICT_WORDS: Readonly<Record<Verdict, Wording>> = {
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  errored: { label: 'Not judged', tone: 'warning' },
};

const STATUS_WORDS: Readonly<Record<EvaluationSummaryBody['status'], Wording>> = {
  waiting: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'live' },
  ended: { label: 'Ended', tone: 'neutral' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
};

export const RUN_END_WORDS: Readonly<Record<RunEndReason, string>> = {
  agent_hangup: 'The agent hung up.',
  persona_hangup: 'The callee hung up.',
  max_turns: 'The callee had no turns left.',
  time_over: 'The time was over.',
};

/** The verdict, or how far it has got. */
export function wordingOf({
  status,
  verdict,
}: Pick<EvaluationSummaryBody, 'status' | 'verdict'> | Pick<EvaluationRunBody, 'status' | 'verdict'>): Wording {
  return verdict === null || status === 'cancelled' ? STATUS_WORDS[status] : VERDICT_WORDS[verdict];
}
