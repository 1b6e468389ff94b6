import { z } from 'zod';
import { numberSchema } from '../shapes/call.ts';
import { campaignIdSchema, campaignSchema, presentCampaign } from '../shapes/campaign.ts';
import { zoneSchema } from './calling-policy.ts';
import { findAgent } from './find-agent.ts';
import { retrySchema, timeSchema } from './schedule.ts';
import { READS, type Tool, type ToolContext } from './tool.ts';

const ofCampaign = z.object({ campaign_id: campaignIdSchema });
type OfCampaign = z.output<typeof ofCampaign>;
/** A change that only this service sees, and that may be made twice. */
const KEEPS = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false } as const;
/** It rings telephones, or ends calls. */
const RINGS = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true } as const;

const draft = z.object({
  name: z.string().min(1).max(100),
  agent: z.string().min(1).describe('The agent that conducts its calls: its id, or its name if only one has it.'),
  from_number: numberSchema.exactOptional().describe('One of your numbers. If omitted: the default one.'),
  calls_per_second: z
    .number()
    .min(0.001)
    .max(100)
    .exactOptional()
    .describe('How many calls begin in a second at most. If omitted: as many as there are slots.'),
  max_concurrent: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .exactOptional()
    .describe('How many of its calls are open at once at most. If omitted: as many as there are slots.'),
  budget: z
    .number()
    .min(0.01)
    .exactOptional()
    .describe('What its calls may cost at most, in the currency of the account. It is paused then.'),
  starts_at: timeSchema.exactOptional().describe('Not before this time, such as 2026-12-07T09:00:00+01:00.'),
  ends_at: timeSchema.exactOptional().describe('No call of it is dialed later.'),
  retry: retrySchema.exactOptional().describe('Call a contact again after some ends. Only if the user wants that.'),
});

export const createCampaign: Tool<typeof draft, typeof campaignSchema> = {
  name: 'create_campaign',
  title: 'Create a campaign',
  description:
    'Creates the draft of a campaign, which calls many numbers. It dials no number before start_campaign. Repeating it creates another draft: look with list_campaigns first if an answer was lost.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: draft,
  output: campaignSchema,
  async run({ agent, ...settings }, { outdial, signal }) {
    const body = { ...settings, agent_id: await findAgent(outdial, agent, signal) };
    return presentCampaign(await outdial.campaigns.create(body, { signal }));
  },
};

const MOST_CONTACTS = 500;
const newContacts = ofCampaign.extend({
  contacts: z
    .array(
      z.object({
        to_number: numberSchema,
        variables: z
          .record(z.string(), z.string())
          .exactOptional()
          .describe('Texts for the placeholders of the agent.'),
        time_zone: zoneSchema.exactOptional(),
      }),
    )
    .min(1)
    .max(MOST_CONTACTS)
    .describe('Whom to call. Only numbers that the user gave.'),
});
const added = z.object({
  accepted: z.number().describe('Contacts that were added.'),
  duplicates: z.number().describe('Numbers that the campaign had already. They are not added again.'),
});

export const addContacts: Tool<typeof newContacts, typeof added> = {
  name: 'add_contacts',
  title: 'Add contacts to a campaign',
  description: `Adds up to ${MOST_CONTACTS} numbers to a campaign, all or none. A campaign that runs calls them. Repeating it adds nothing twice.`,
  hints: RINGS,
  input: newContacts,
  output: added,
  async run({ campaign_id, contacts }, { outdial, signal }) {
    const { accepted, duplicates } = await outdial.campaigns.contacts.add(campaign_id, contacts, { signal });
    return { accepted, duplicates };
  },
};

export const startCampaign = steering(
  'start_campaign',
  'Start a campaign',
  'Calls every contact of a draft: real telephones ring, and each call costs money. Start it only when the user has agreed to the number of contacts.',
  RINGS,
  ({ campaign_id }, { outdial, signal }) => outdial.campaigns.start(campaign_id, { signal }),
);
export const pauseCampaign = steering(
  'pause_campaign',
  'Pause a campaign',
  'Within a second no more of its calls are dialed. Open calls go on. resume_campaign goes on where it was.',
  KEEPS,
  ({ campaign_id }, { outdial, signal }) => outdial.campaigns.pause(campaign_id, { signal }),
);
export const resumeCampaign = steering(
  'resume_campaign',
  'Resume a campaign',
  'A paused campaign goes on: real telephones ring, and each call costs money. Only when the user asks for it.',
  RINGS,
  ({ campaign_id }, { outdial, signal }) => outdial.campaigns.resume(campaign_id, { signal }),
);
export const getCampaign = steering(
  'get_campaign',
  'Show a campaign',
  'Returns a campaign with its progress, and what holds it up.',
  READS,
  ({ campaign_id }, { outdial, signal }) => outdial.campaigns.get(campaign_id, { signal }),
);

const cancellation = ofCampaign.extend({
  hang_up: z.boolean().default(false).describe('End its open calls too.'),
});

export const cancelCampaign: Tool<typeof cancellation, typeof campaignSchema> = {
  name: 'cancel_campaign',
  title: 'Cancel a campaign',
  description:
    'Ends a campaign for good: nothing more is dialed. Open calls go on unless hang_up is true. To go on later, use pause_campaign.',
  hints: RINGS,
  input: cancellation,
  output: campaignSchema,
  async run({ campaign_id, hang_up }, { outdial, signal }) {
    return presentCampaign(await outdial.campaigns.cancel(campaign_id, { hang_up }, { signal }));
  },
};

/** A tool whose only input is a campaign. */
function steering(
  name: string,
  title: string,
  description: string,
  hints: Tool<typeof ofCampaign, typeof campaignSchema>['hints'],
  steer: (of: OfCampaign, context: ToolContext) => Promise<Parameters<typeof presentCampaign>[0]>,
): Tool<typeof ofCampaign, typeof campaignSchema> {
  const run: Tool<typeof ofCampaign, typeof campaignSchema>['run'] = async (of, context) =>
    presentCampaign(await steer(of, context));
  return { name, title, description, hints, input: ofCampaign, output: campaignSchema, run };
}

const filter = z.object({
  limit: z.number().int().min(1).max(50).default(20),
  cursor: z.string().max(512).optional().describe('next_cursor of the page before.'),
});
const page = z.object({
  campaigns: z.array(campaignSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

export const listCampaigns: Tool<typeof filter, typeof page> = {
  name: 'list_campaigns',
  title: 'List campaigns',
  description: 'Lists the campaigns of the account with their progress, newest first.',
  hints: READS,
  input: filter,
  output: page,
  async run({ limit, cursor }, { outdial, signal }) {
    const { items, hasMore, nextCursor } = await outdial.campaigns.list({ limit }, { signal }).page(cursor);
    return { campaigns: items.map(presentCampaign), has_more: hasMore, next_cursor: nextCursor };
  },
};
