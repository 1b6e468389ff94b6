import type { Campaign, CampaignContact, CampaignUpload } from '@outdial/sdk';
import { plain } from '../terminal/plain.ts';
import { facts, table } from '../terminal/table.ts';

const NONE = '-';

/** What holds a campaign up, and what helps. */
const HOLDS: Readonly<Record<string, string>> = {
  funds: 'the wallet does not cover another call: top it up',
  capacity: 'all slots that campaigns may use are taken, or no trunk is free',
  window: 'its hours are closed, or those of the next callees',
  cap: 'its numbers were called as often as the calling policy allows',
  budget: 'its budget is used up: raise it to go on',
  provider: 'the provider of its agent’s models takes no more calls now, or its credential is missing',
  account: 'the account is disabled: it goes on once it is enabled',
};

function holdText({ progress: { held_by: heldBy } }: Campaign): string | null {
  return heldBy === null ? null : (HOLDS[heldBy] ?? heldBy);
}

/** One line a campaign. */
export function campaignTable(campaigns: readonly Campaign[]): string {
  return table(
    ['CREATED', 'ID', 'NAME', 'STATE', 'DONE', 'OPEN', 'COST', 'HELD BY'],
    campaigns.map(({ created_at: createdAt, id, name, state, progress }) => [
      createdAt,
      id,
      name,
      state,
      `${progress.done} of ${progress.contacts}`,
      String(progress.open),
      String(progress.cost),
      progress.held_by ?? NONE,
    ]),
  );
}

export function campaignText(campaign: Campaign): string {
  const { progress, retry, budget, window } = campaign;
  return facts([
    ['id', campaign.id],
    ['name', campaign.name],
    ['state', campaign.state],
    ['held up', holdText(campaign) ?? NONE],
    ['contacts', `${progress.contacts}: ${contactsText(campaign)}`],
    ['ended as', reasonsText(progress.by_reason)],
    ['answered', answeredText(campaign)],
    ['cost', budget === null ? String(progress.cost) : `${progress.cost} of ${budget}`],
    ['finish about', progress.estimated_finish_at ?? NONE],
    ['pace', campaign.calls_per_second === null ? 'as many as there are slots' : `${campaign.calls_per_second}/s`],
    ['at once', campaign.max_concurrent === null ? 'as many as there are slots' : String(campaign.max_concurrent)],
    ['weight', String(campaign.weight)],
    ['hours', window === null ? 'any' : `its window, in ${window.time_zone}`],
    ['retry', retry === null ? 'none' : retryText(retry)],
    ['agent', `${campaign.agent_id}${campaign.agent_version === null ? '' : `, version ${campaign.agent_version}`}`],
    ['starts', campaign.started_at ?? campaign.starts_at ?? NONE],
    ['ends', campaign.ended_at ?? campaign.ends_at ?? NONE],
  ]);
}

function retryText({ max_attempts: most, on = [] }: NonNullable<Campaign['retry']>): string {
  return `up to ${most} calls, after ${on.join(', ')}`;
}

function contactsText({ progress }: Campaign): string {
  const { done, open, waiting, remaining, not_dialled: never } = progress;
  const parts = [
    `${done} done`,
    `${open} open`,
    `${waiting} scheduled`,
    ...(remaining > 0 ? [`${remaining} without a call`] : []),
    ...(never > 0 ? [`${never} not dialed`] : []),
  ];
  return parts.join(', ');
}

function answeredText({ progress: { answered, answer_rate: rate } }: Campaign): string {
  return rate === null ? String(answered) : `${answered} (${Math.round(100 * rate)} %)`;
}

function reasonsText(reasons: Campaign['progress']['by_reason']): string {
  const counts = Object.entries(reasons).toSorted(([, one], [, other]) => other - one);
  return counts.map(([reason, calls]) => `${reason} ${calls}`).join(', ') || NONE;
}

/** How far it is, in one line. */
export function progressLine(campaign: Campaign): string {
  const { state, progress } = campaign;
  const hold = holdText(campaign);
  const parts = [
    `${state}: ${progress.done} of ${progress.contacts} done`,
    `${progress.open} open`,
    `${progress.waiting} scheduled`,
    `answered ${answeredText(campaign)}`,
    `cost ${progress.cost}`,
    `${progress.calls_last_minute} calls in the last minute`,
    ...(progress.estimated_finish_at === null ? [] : [`finish about ${progress.estimated_finish_at}`]),
    ...(hold === null ? [] : [`held up: ${hold}`]),
  ];
  return parts.join(' · ');
}

export function contactTable(contacts: readonly CampaignContact[]): string {
  return table(
    ['UPLOAD', 'LINE', 'NUMBER', 'ATTEMPTS', 'STATUS', 'OUTCOME', 'LAST CALL'],
    contacts.map(({ upload, line, number, attempts, call_status: status, outcome, call_id: callId }) => [
      String(upload),
      String(line),
      number,
      String(attempts),
      status ?? NONE,
      outcome ?? NONE,
      callId ?? NONE,
    ]),
  );
}

/** The report of an upload: counts, then the first lines that are no contact. */
export function uploadText({ number, rows, accepted, duplicates, invalid, error, errors }: CampaignUpload): string {
  const counts = facts([
    ['upload', String(number)],
    ['lines', String(rows)],
    ['added', String(accepted)],
    ['duplicates', String(duplicates)],
    ['no contact', String(invalid)],
    ...(error === null ? [] : [['failed', error] as const]),
  ]);
  return counts + errors.map(problemLine).join('');
}

function problemLine({ line, column, value, message }: CampaignUpload['errors'][number]): string {
  return `line ${line}: ${plain(column)} ${plain(value)} ${plain(message)}\n`;
}
