import { micros, type Micros } from '@outdial/contracts';
import type { CampaignRecord } from '@outdial/calls';
import { formatFacts, formatTable } from '../terminal/table.ts';
import { isoTime, isoTimeOrNull, money, shownMoney, shownTime } from './columns.ts';
import type { Json } from './report.ts';

interface Sums {
  readonly done: number;
  readonly waiting: number;
  readonly cost: Micros;
}

/** Each contact up to the cursor has one chain of calls: its last call is scheduled, open, or has ended for good. */
function sumsOf({ byReason, passed, open }: CampaignRecord): Sums {
  const final = byReason.filter(({ isFinal }) => isFinal);
  const done = final.reduce((sum, { calls }) => sum + calls, 0);
  const cost = byReason.reduce((sum, { costMicros }) => sum + BigInt(costMicros), 0n);
  return { done, waiting: Math.max(0, passed - done - open), cost: micros(cost) };
}

/** The fields of a campaign that an operator sees, named as in the HTTP interface. */
export function campaignJson(campaign: CampaignRecord): Json {
  const { done, waiting, cost } = sumsOf(campaign);
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
    progress: {
      contacts: campaign.contacts,
      remaining: campaign.contacts - campaign.passed,
      waiting,
      open: campaign.open,
      done,
      by_reason: Object.fromEntries(reasonsOf(campaign)),
      cost: money(cost),
      calls_last_minute: campaign.callsLastMinute ?? 0,
      held_by: campaign.heldBy,
    },
  };
}

function reasonsOf({ byReason }: CampaignRecord): readonly (readonly [string, number])[] {
  return byReason.filter(({ isFinal }) => isFinal).map(({ reason, calls }) => [reason, calls] as const);
}

export function campaignText(campaign: CampaignRecord, currency: string): readonly string[] {
  const { done, waiting, cost } = sumsOf(campaign);
  const { budgetMicros, callsPerSecond, maxConcurrent } = campaign;
  const left = campaign.contacts - campaign.passed;
  const budget = budgetMicros === null ? '' : ` of ${shownMoney(micros(budgetMicros), currency)}`;
  return formatFacts([
    ['Campaign', campaign.id],
    ['Account', campaign.accountId],
    ['Name', campaign.name],
    ['State', campaign.state],
    ['Held by', campaign.heldBy ?? '-'],
    [
      'Contacts',
      `${campaign.contacts}: ${done} done, ${campaign.open} open, ${waiting} scheduled, ${left} without a call`,
    ],
    [
      'Ended as',
      reasonsOf(campaign)
        .map(([reason, calls]) => `${reason} ${calls}`)
        .join(', ') || '-',
    ],
    ['Cost', `${shownMoney(cost, currency)}${budget}`],
    ['Last minute', `${campaign.callsLastMinute ?? 0} calls ended`],
    ['Pace', callsPerSecond === null ? '-' : `${callsPerSecond} calls a second`],
    ['At once', maxConcurrent === null ? '-' : `${maxConcurrent} open calls`],
    ['Weight', String(campaign.weight)],
    ['Agent', `${campaign.agentId}, version ${campaign.agentVersion ?? '-'}`],
    ['Created', `${shownTime(campaign.createdAtMs)} by ${campaign.createdBy}`],
    ['Started', shownTime(campaign.startedAtMs)],
    ['Ended', shownTime(campaign.endedAtMs)],
  ]);
}

export function campaignTable(campaigns: readonly CampaignRecord[]): readonly string[] {
  return formatTable<CampaignRecord>(
    [
      { title: 'ID', value: ({ id }) => id },
      { title: 'NAME', value: ({ name }) => name },
      { title: 'STATE', value: ({ state }) => state },
      { title: 'DONE', value: (campaign) => `${sumsOf(campaign).done} of ${campaign.contacts}`, align: 'right' },
      { title: 'OPEN', value: ({ open }) => String(open), align: 'right' },
      { title: 'HELD BY', value: ({ heldBy }) => heldBy ?? '-' },
      { title: 'CREATED', value: ({ createdAtMs }) => shownTime(createdAtMs) },
    ],
    campaigns,
    'The account has no campaigns.',
  );
}
