import { endedReasons, type CampaignBody, type CampaignProgress, type EndedReason } from '@outdial/contracts';
import { formatCount, formatMoney } from '../../../shared/format/numbers.ts';

export const contactsWord = (count: number) => (count === 1 ? '1 contact' : `${formatCount(count)} contacts`);
export const callsWord = (count: number) => (count === 1 ? '1 call' : `${formatCount(count)} calls`);

/** Of the contacts, 0 to 100. Only a campaign whose contacts are all done has 100. */
export function donePercent({ contacts, done }: Pick<CampaignProgress, 'contacts' | 'done'>): number {
  return contacts === 0 ? 0 : Math.floor((100 * done) / contacts);
}

/** `412 of 1,000 contacts`. */
export function doneWords({ contacts, done }: Pick<CampaignProgress, 'contacts' | 'done'>): string {
  return contacts === 0 ? 'No contacts yet' : `${formatCount(done)} of ${contactsWord(contacts)}`;
}

/** Where the contacts stand that are not done. */
export function restWords(progress: CampaignProgress): string {
  const { remaining, waiting, open, not_dialled: notDialed } = progress;
  const parts = [
    remaining > 0 && `${formatCount(remaining)} remaining`,
    waiting > 0 && `${formatCount(waiting)} waiting`,
    open > 0 && `${formatCount(open)} open`,
    notDialed > 0 && `${formatCount(notDialed)} not dialed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'None left' : parts.join(', ');
}

export interface OutcomeRow {
  readonly reason: EndedReason;
  readonly contacts: number;
  /** Of the contacts that are done, 0 to 1. */
  readonly share: number;
}

/** The most frequent first. */
export function outcomeRows({ by_reason: counts }: Pick<CampaignProgress, 'by_reason'>): readonly OutcomeRow[] {
  const all = endedReasons.map((reason) => ({ reason, contacts: counts[reason] ?? 0 }));
  const total = all.reduce((sum, { contacts }) => sum + contacts, 0);
  return all
    .filter(({ contacts }) => contacts > 0)
    .map((row) => ({ ...row, share: row.contacts / total }))
    .toSorted((one, other) => other.contacts - one.contacts);
}

/** `34%`; `–` before any call has ended. */
export function answerRateWords({ answer_rate: rate }: Pick<CampaignProgress, 'answer_rate'>): string {
  return rate === null ? '–' : `${Math.round(100 * rate)}%`;
}

/** `34%`; less than one in a hundred is not nothing. */
export function shareWords(share: number): string {
  return share > 0 && share < 0.01 ? '<1%' : `${Math.round(100 * share)}%`;
}

/** `62% of the budget of $40.00`. */
export function budgetWords({ budget, progress }: Pick<CampaignBody, 'budget' | 'progress'>, currency: string): string {
  if (budget === null) return 'No budget';
  const share = (progress.spent_percent ?? 0) / 100;
  return `${shareWords(share)} of the budget of ${formatMoney(budget, currency)}`;
}

/** When it will be done, or why that is not known. */
export function finishWords(
  { state, progress, ended_at: endedAt }: Pick<CampaignBody, 'state' | 'progress' | 'ended_at'>,
  time: (iso: string) => string,
): { readonly value: string; readonly hint: string } {
  if (endedAt !== null) return { value: time(endedAt), hint: 'It is over' };
  const at = progress.estimated_finish_at;
  if (at !== null) return { value: time(at), hint: 'At the rate of the last ten minutes' };
  if (state !== 'running') return { value: '–', hint: 'While it runs' };
  return progress.held_by === null
    ? { value: '–', hint: 'Known after a few minutes of calls' }
    : { value: '–', hint: 'Not while it is held up' };
}
