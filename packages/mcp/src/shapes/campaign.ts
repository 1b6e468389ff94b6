import type { Campaign } from '@outdial/sdk';
import { z } from 'zod';

export const campaignIdSchema = z.uuid().describe('The id of a campaign, from create_campaign or list_campaigns.');

const time = z.string().nullable();
const bound = z.number().nullable();

/** What every tool shows of a campaign. Texts of the API stay open: a later server may send others. */
export const campaignSchema = z.object({
  id: z.string(),
  name: z.string(),
  state: z.string().describe('draft, scheduled, running, paused, cancelling, cancelled or completed.'),
  agent_id: z.string(),
  from_number: z.string().nullable(),
  calls_per_second: bound.describe('Null: as many as there are slots.'),
  max_concurrent: bound.describe('Null: as many as there are slots.'),
  budget: bound.describe('In the currency of the account. Null: no bound.'),
  starts_at: time,
  ends_at: time,
  created_at: z.string(),
  started_at: time,
  ended_at: time,
  progress: z.object({
    contacts: z.number(),
    remaining: z.number().describe('Contacts without a call.'),
    waiting: z.number().describe('Scheduled calls.'),
    open: z.number().describe('Calls that are queued, dialing or talking.'),
    done: z.number().describe('Contacts whose last call has ended.'),
    not_dialled: z.number().describe('Contacts that were never called, once the campaign is over.'),
    by_reason: z.record(z.string(), z.number()).describe('How the last calls ended.'),
    answered: z.number(),
    cost: z.number().describe('In the currency of the account.'),
    held_by: z
      .string()
      .nullable()
      .describe(
        'Why it begins no call now: funds, capacity (no free slot or trunk), window (its hours, or those of the next callees), cap, budget, provider (or its credential) or account (it is disabled). Null: nothing holds it up, or it does not run.',
      ),
    estimated_finish_at: time,
  }),
});

export function presentCampaign(campaign: Campaign): z.output<typeof campaignSchema> {
  const { progress } = campaign;
  return {
    id: campaign.id,
    name: campaign.name,
    state: campaign.state,
    agent_id: campaign.agent_id,
    from_number: campaign.from_number,
    calls_per_second: campaign.calls_per_second,
    max_concurrent: campaign.max_concurrent,
    budget: campaign.budget,
    starts_at: campaign.starts_at,
    ends_at: campaign.ends_at,
    created_at: campaign.created_at,
    started_at: campaign.started_at,
    ended_at: campaign.ended_at,
    progress: {
      contacts: progress.contacts,
      remaining: progress.remaining,
      waiting: progress.waiting,
      open: progress.open,
      done: progress.done,
      not_dialled: progress.not_dialled,
      by_reason: Object.fromEntries(Object.entries(progress.by_reason)),
      answered: progress.answered,
      cost: progress.cost,
      held_by: progress.held_by,
      estimated_finish_at: progress.estimated_finish_at,
    },
  };
}
