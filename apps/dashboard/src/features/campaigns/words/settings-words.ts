import type { CampaignBody } from '@outdial/contracts';
import { formatSpan } from '../../../shared/format/numbers.ts';
import { cityOf } from '../../../shared/format/zone-city.ts';
import { ENDED_REASON_WORDS } from '../../../shared/words/ended-reason.ts';
import { weekWords } from '../../../shared/words/week-words.ts';

const names = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** `At most 2 calls a second, 10 open at once`. */
export function paceWords({
  calls_per_second: pace,
  max_concurrent: most,
}: Pick<CampaignBody, 'calls_per_second' | 'max_concurrent'>): string {
  if (pace === null && most === null) return 'As slots allow';
  const words = [
    ...(pace === null ? [] : [pace === 1 ? '1 call a second' : `${pace} calls a second`]),
    ...(most === null ? [] : [`${most} open at once`]),
  ];
  return `At most ${words.join(', ')}`;
}

export function hoursWords(window: CampaignBody['window']): string {
  if (window === null) return 'Any hour that the calling policy allows';
  return `${weekWords(window.days)}, by the clock of ${cityOf(window.time_zone)}`;
}

export function retryWords(retry: CampaignBody['retry']): string {
  if (retry === null) return 'None: each contact is called once';
  const reasons = retry.on?.map((reason) => ENDED_REASON_WORDS[reason].label.toLowerCase()) ?? [];
  const waits = retry.after_seconds?.map(formatSpan).join(', then ');
  return `Up to ${retry.max_attempts} calls, after ${names.format(reasons)}${waits === undefined ? '' : `; waits ${waits}`}`;
}
