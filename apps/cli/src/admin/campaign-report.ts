import type { CampaignRecord } from '@outdial/calls';
import { micros, type CampaignBody, type CampaignProgress } from '@outdial/contracts';
import { presentCampaign } from '@outdial/presentation';
import { formatFacts, formatTable } from '../terminal/table.ts';
import { isoTime, isoTimeOrNull, money, shownMoney, shownTime } from './columns.ts';
import type { Json } from './report.ts';

/** The fields of a campaign that an operator sees, named as in the HTTP interface. */
export function campaignJson(campaign: CampaignRecord, nowMs: number): Json {
  const { progress } = presentCampaign(campaign, nowMs);
  return {
    id: campaign.id,
    owner_id: campaign.accountId,
    name: campaign.name,
    state: campaign.state,
    agent_id: campaign.agentId,
    agent_version: campaign.agentVersion,
    from_number: campaign.callerNumber,
    calls_per_second: campaign.callsPerSecond,
    max_concurrent: campaign.maxConcurrent,
    weight: campaign.weight,
    budget: campaign.budgetMicros === null ? null : money(micros(campaign.budgetMicros)),
    created_by: campaign.createdBy,
    created_at: isoTime(campaign.createdAtMs),
    starts_at: isoTimeOrNull(campaign.startsAtMs),
    ends_at: isoTimeOrNull(campaign.endsAtMs),
    started_at: isoTimeOrNull(campaign.startedAtMs),
    ended_at: isoTimeOrNull(campaign.endedAtMs),
    progress,
  };
}

export function campaignText(
  campaign: CampaignRecord,
  { currency, nowMs }: { readonly currency: string; readonly nowMs: number },
): readonly string[] {
  const { progress } = presentCampaign(campaign, nowMs);
  const { budgetMicros, callsPerSecond, maxConcurrent } = campaign;
  const budget = budgetMicros === null ? '' : ` of ${shownMoney(micros(budgetMicros), currency)}`;
  return formatFacts([
    ['Campaign', campaign.id],
    ['Account', campaign.accountId],
    ['Name', campaign.name],
    ['State', campaign.state],
    ['Held by', progress.held_by ?? '-'],
    ['Contacts', contactsText(progress)],
    ['Ended as', reasonsText(progress)],
    ['Cost', `${shownMoney(micros(Math.round(1_000_000 * progress.cost)), currency)}${budget}`],
    ['Last minute', `${progress.calls_last_minute} calls ended`],
    ['Finish about', progress.estimated_finish_at ?? '-'],
    ['Pace', callsPerSecond === null ? '-' : `${callsPerSecond} calls a second`],
    ['At once', maxConcurrent === null ? '-' : `${maxConcurrent} open calls`],
    ['Weight', String(campaign.weight)],
    ['Agent', `${campaign.agentId}, version ${campaign.agentVersion ?? '-'}`],
    ['Created', `${shownTime(campaign.createdAtMs)} by ${campaign.createdBy}`],
    ['Started', shownTime(campaign.startedAtMs)],
    ['Ended', shownTime(campaign.endedAtMs)],
  ]);
}

function contactsText({ contacts, done, open, waiting, remaining, not_dialled: never }: CampaignProgress): string {
  const rest = never > 0 ? `${never} not dialed` : `${remaining} without a call`;
  return `${contacts}: ${done} done, ${open} open, ${waiting} scheduled, ${rest}`;
}

function reasonsText({ by_reason: reasons }: CampaignProgress): string {
  const parts = Object.entries(reasons).map(([reason, calls]) => `${reason} ${calls}`);
  return parts.join(', ') || '-';
}

export function campaignTable(campaigns: readonly CampaignRecord[], nowMs: number): readonly string[] {
  const rows = campaigns.map((campaign) => presentCampaign(campaign, nowMs));
  return formatTable<CampaignBody>(
    [
      { title: 'ID', value: ({ id }) => id },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'DONE', value: ({ progress }) => `${progress.done} of ${progress.contacts}`, align: 'right' },
      { title: 'OPEN', value: ({ progress }) => String(progress.open), align: 'right' },
      { title: 'HELD BY', value: ({ progress }) => progress.held_by ?? '-' },
      { title: 'CREATED', value: ({ created_at: at }) => shownTime(Date.parse(at)) },
    ],
    rows,
    'The account has no campaigns.',
  );
}
