import { SCHEDULE_LIMITS, type EndedReason } from '@outdial/contracts';
import { formatSpan } from '../format/numbers.ts';
import { ENDED_REASON_WORDS } from '../words/ended-reason.ts';
import { DEFAULT_WAIT, WAITS } from './retry-draft.ts';

const alternatives = new Intl.ListFormat('en', { type: 'disjunction' });

/** `busy, no answer, or carrier unavailable`. */
export function reasonsText(reasons: readonly EndedReason[]): string {
  return alternatives.format(reasons.map((reason) => ENDED_REASON_WORDS[reason].label.toLowerCase()));
}

/** The waits before this many retries; the last one repeats: `15 min, then 1 h each time`. */
export function waitsText(seconds: readonly number[], retries: number): string {
  const text = seconds.slice(0, retries).map(formatSpan).join(', then ');
  return retries > seconds.length ? `${text} each time` : text;
}

/** The choices of a wait before the next call, the present one included. */
export function waitChoices(present: string): { readonly value: string; readonly label: string }[] {
  const values = WAITS.includes(present) ? WAITS : [...WAITS, present];
  return values.map((value) => ({ value, label: waitLabel(value) }));
}

function waitLabel(value: string): string {
  if (value === DEFAULT_WAIT) return SCHEDULE_LIMITS.afterSeconds.default.map(formatSpan).join(', then ');
  const seconds = value.split(',').map(Number);
  return seconds.length === 1 ? `${formatSpan(Number(value))} each time` : seconds.map(formatSpan).join(', then ');
}
