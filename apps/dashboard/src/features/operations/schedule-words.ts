import type { OperationsBody } from '@outdial/contracts';
import { formatCount, formatSpan } from '../../shared/format/numbers.ts';
import { CAMPAIGN_STATE_WORDS } from '../../shared/words/campaign-state.ts';

type Schedule = NonNullable<OperationsBody['schedule']>;

/** How long the first due call has been due. */
export function oldestWords(at: string | null, nowMs: number): string {
  return at === null ? 'None due' : `Due for ${formatSpan((nowMs - Date.parse(at)) / 1_000)}`;
}

/** How many campaigns are under way, and in which states: `2 running, 1 paused`. */
export function campaignCounts({ campaigns }: Pick<Schedule, 'campaigns'>): {
  readonly total: number;
  readonly words: string;
} {
  const total = campaigns.reduce((sum, each) => sum + each.campaigns, 0);
  const parts = campaigns.map(
    (each) => `${formatCount(each.campaigns)} ${CAMPAIGN_STATE_WORDS[each.state].label.toLowerCase()}`,
  );
  return { total, words: total === 0 ? 'None' : parts.join(', ') };
}
