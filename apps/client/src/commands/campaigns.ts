import type { Campaign, CampaignChange, CampaignContact, CampaignContactFilter, NewCampaign } from '@outdial/sdk';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { openLiveLine } from '../terminal/live-line.ts';
import { plain } from '../terminal/plain.ts';
import type { CommandContext } from './command-context.ts';
import { findAgent } from './find-agent.ts';
import { readJson } from './read-json.ts';
import { campaignTable, campaignText, contactTable, progressLine } from './show-campaign.ts';

const LARGEST_PAGE = 100;

/** The options of `create` and `update`; what is not given is left out. */
export interface CampaignOptions {
  readonly agent: string | undefined;
  /** A JSON file with the window. Null: no window. */
  readonly windowPath: string | null | undefined;
  readonly fields: Omit<CampaignChange, 'agent_id' | 'window' | 'name'>;
}

export async function createCampaign(
  context: CommandContext,
  name: string,
  options: CampaignOptions & { readonly agent: string },
): Promise<ExitCode> {
  const outdial = await context.client();
  const signal = context.io.interrupted;
  const agentId = await findAgent(outdial, options.agent, signal);
  const body: NewCampaign = { name, agent_id: agentId, ...(await changeOf(context, options)) };
  const campaign = await outdial.campaigns.create(body, { signal });
  const id = plain(campaign.id);
  const text = `Campaign ${id} is a draft. Next:\n  outdial campaigns upload ${id} <file>\n  outdial campaigns start ${id}\n`;
  context.print({ json: { campaign }, text });
  return EXIT.done;
}

export async function updateCampaign(
  context: CommandContext,
  id: string,
  options: CampaignOptions & { readonly name: string | undefined },
): Promise<ExitCode> {
  const outdial = await context.client();
  const signal = context.io.interrupted;
  const body: CampaignChange = {
    ...(options.name === undefined ? {} : { name: options.name }),
    ...(options.agent === undefined ? {} : { agent_id: await findAgent(outdial, options.agent, signal) }),
    ...(await changeOf(context, options)),
  };
  return show(context, await outdial.campaigns.update(id, body, { signal }));
}

async function changeOf({ io }: CommandContext, { windowPath, fields }: CampaignOptions) {
  if (windowPath === undefined) return fields;
  if (windowPath === null) return { ...fields, window: null };
  const window: NonNullable<CampaignChange['window']> = await readJson(io, windowPath);
  return { ...fields, window };
}

export async function listCampaigns(context: CommandContext, limit: number): Promise<ExitCode> {
  const outdial = await context.client();
  const campaigns: Campaign[] = [];
  const page = { limit: Math.min(limit, LARGEST_PAGE) };
  for await (const campaign of outdial.campaigns.list(page, { signal: context.io.interrupted })) {
    campaigns.push(campaign);
    if (campaigns.length === limit) break;
  }
  context.print({ json: { campaigns }, text: campaignTable(campaigns) });
  return EXIT.done;
}

export async function showCampaign(context: CommandContext, id: string): Promise<ExitCode> {
  return show(context, await (await context.client()).campaigns.get(id, { signal: context.io.interrupted }));
}

function show(context: CommandContext, campaign: Campaign): ExitCode {
  context.print({ json: { campaign }, text: campaignText(campaign) });
  return EXIT.done;
}

/** One line on a terminal, which changes until the campaign is over. An interruption ends the watching alone. */
export async function followCampaign(context: CommandContext, id: string): Promise<ExitCode> {
  const { io, isJson } = context;
  const line = openLiveLine({ write: (text) => io.stdout.write(text), isTTY: io.stdout.isTTY === true });
  const outdial = await context.client();
  try {
    for await (const campaign of outdial.campaigns.follow(id, { signal: io.interrupted })) {
      if (isJson) context.print({ json: { campaign }, text: '' });
      else line.show(progressLine(campaign));
    }
    return EXIT.done;
  } catch (error) {
    if (io.interrupted.aborted) {
      line.end();
      io.stderr.write(`The campaign goes on. To stop it, run: outdial campaigns pause ${plain(id)}\n`);
    }
    throw error;
  } finally {
    line.end();
  }
}

export type Steering = 'start' | 'pause' | 'resume';

export async function steerCampaign(context: CommandContext, id: string, verb: Steering): Promise<ExitCode> {
  const { campaigns } = await context.client();
  const campaign = await campaigns[verb](id, { signal: context.io.interrupted });
  return steered(context, campaign);
}

export async function cancelCampaign(context: CommandContext, id: string, hangUp: boolean): Promise<ExitCode> {
  const { campaigns } = await context.client();
  const campaign = await campaigns.cancel(id, { hang_up: hangUp }, { signal: context.io.interrupted });
  return steered(context, campaign);
}

export async function deleteCampaign(context: CommandContext, id: string): Promise<ExitCode> {
  const { campaigns } = await context.client();
  await campaigns.delete(id, { signal: context.io.interrupted });
  context.print({
    json: { deleted: { campaign_id: id } },
    text: `Campaign ${plain(id)} is deleted. Its calls stay.\n`,
  });
  return EXIT.done;
}

function steered(context: CommandContext, campaign: Campaign): ExitCode {
  const { id, state, starts_at: startsAt, progress } = campaign;
  const when = state === 'scheduled' ? ` for ${startsAt ?? 'its start'}` : '';
  const goOn = progress.open > 0 && state !== 'running' ? ` ${progress.open} open calls go on.` : '';
  context.print({ json: { campaign }, text: `Campaign ${plain(id)} is ${plain(`${state}${when}`)}.${goOn}\n` });
  return EXIT.done;
}

interface ContactListing {
  readonly filter: Pick<CampaignContactFilter, 'outcome'>;
  /** How many at most. */
  readonly limit: number;
}

export async function listContacts(
  context: CommandContext,
  id: string,
  { filter, limit }: ContactListing,
): Promise<ExitCode> {
  const outdial = await context.client();
  const contacts: CampaignContact[] = [];
  const page = { ...filter, limit: Math.min(limit, LARGEST_PAGE) };
  for await (const contact of outdial.campaigns.contacts.list(id, page, { signal: context.io.interrupted })) {
    contacts.push(contact);
    if (contacts.length === limit) break;
  }
  context.print({ json: { contacts }, text: contactTable(contacts) });
  return EXIT.done;
}
