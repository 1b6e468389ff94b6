/**
 * What goes wrong where a model of this name is asked for; `drop-after-<n>-deltas` ends the
 * connection after so many, `stall-after-<n>-deltas` falls silent; the latter only for ears and voices. Of OpenAI's Realtime API and
 * its dialects, answers after the first `<n>`: of `slow-after-<n>-answers` they take ten seconds to begin, of `limited-after-<n>-answers`
 * they fail for the rate and the session stays, of `limited-once-after-<n>-answers` only the next one does.
 */
export type Fault =
  | { readonly kind: 'status'; readonly status: 401 | 429 | 503 }
  | { readonly kind: 'drop' | 'stall_after'; readonly afterDeltas: number }
  | { readonly kind: 'slow_answers' | 'limited_answers' | 'limited_once'; readonly afterAnswers: number }
  | { readonly kind: (typeof NAMED)[number] };

const OF_ANSWERS = {
  slow: 'slow_answers',
  limited: 'limited_answers',
  'limited-once': 'limited_once',
} as const;

const NAMED = [
  /** A clean end in the middle of the first answer. */
  'close-1000',
  /** Takes everything and gives nothing. */
  'stall',
  /** The first token comes after ten seconds. */
  'slow-tokens',
  /** An answer of nothing. */
  'empty',
  /** Takes the callee's sound and hears nothing of it. Of models of speech to speech. */
  'deaf',
  'garbage-json',
  /** The provider says in the middle of an answer that it is overloaded. Of models that answer in text, and of Google's live sessions. */
  'error-event',
  /** The provider says in the middle of an answer that it will end the connection. Of Google's live sessions. */
  'go-away',
  /** Characters of several bytes arrive in two pieces; a client that reads well notices nothing. */
  'half-utf8',
  /** The first request for an answer is rejected. Of OpenAI's Realtime API and its dialects. */
  'refuse-first-request',
  /** The provider reports with each answer that its limits are nearly used up. Of OpenAI's Realtime API and its dialects. */
  'near-limit',
  /** The provider bills, and does not say how much. */
  'no-usage',
] as const;

const STATUSES = { '401': 401, '429': 429, '503': 503 } as const;

/** Null: a model as it should be. */
export function faultOf(model: string): Fault | null {
  if (model === '401' || model === '429' || model === '503') return { kind: 'status', status: STATUSES[model] };
  const drop = /^drop-after-(\d{1,4})-deltas$/.exec(model)?.[1];
  if (drop !== undefined) return { kind: 'drop', afterDeltas: Number(drop) };
  const stall = /^stall-after-(\d{1,4})-deltas$/.exec(model)?.[1];
  if (stall !== undefined) return { kind: 'stall_after', afterDeltas: Number(stall) };
  const [, first, answers] = /^(slow|limited|limited-once)-after-(\d{1,4})-answers$/.exec(model) ?? [];
  if (first === 'slow' || first === 'limited' || first === 'limited-once') {
    return { kind: OF_ANSWERS[first], afterAnswers: Number(answers) };
  }
  const kind = NAMED.find((name) => name === model);
  return kind === undefined ? null : { kind };
}
