import type { CampaignSettings, Turn } from '@outdial/calls';
import { campaignIdSchema, e164Schema, type CampaignId, type CampaignState, type E164 } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { randomUUID } from 'node:crypto';
import type { Database } from '../src/database.ts';
import { openOwnAccount } from '../src/own-account/own-account.ts';
import type { OwnCampaigns } from '../src/own-account/own-campaigns.ts';
import { campaignSettings } from '../src/seeding/index.ts';
import { numbersFrom } from './suppressions.ts';
import type { Party, World } from './world.ts';

const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
const CALLER = e164Schema.parse('+12025550100');

export const PLAN = { agentVersion: 1, callerNumber: CALLER, maxDurationSeconds: 600, ringTimeoutSeconds: 30 };
export const RETRY = { max_attempts: 3, on: ['busy', 'no_answer'], after_seconds: [60] } as const;

/** The campaigns of an account, as its owner Kim sees them. */
export const campaignsOf = (database: Database, { accountId }: Party): OwnCampaigns =>
  openOwnAccount(database, { accountId, actor: 'user:kim', bounds: BOUNDS }).campaigns;

const contactOf = (number: E164) => ({ number, variables: { name: 'Ada' }, metadata: {}, timeZone: null });

export const contactsFrom = (count: number, first?: number) => numbersFrom(count, first).map(contactOf);

export async function draft(
  world: World,
  party: Party,
  { contacts = 3, ...changes }: Partial<CampaignSettings> & { readonly contacts?: number } = {},
): Promise<CampaignId> {
  const campaigns = campaignsOf(world.database, party);
  const id = campaignIdSchema.parse(randomUUID());
  const created = await campaigns.create(id, campaignSettings(party.agentId, changes));
  invariant(created.kind === 'created', 'the account may have one more');
  if (contacts > 0) await campaigns.addContacts(id, contactsFrom(contacts));
  return id;
}

export async function running(world: World, party: Party, changes: Parameters<typeof draft>[2] = {}) {
  const id = await draft(world, party, changes);
  const started = await campaignsOf(world.database, party).changeState(id, { kind: 'start', plan: PLAN });
  invariant(started.kind === 'changed', `it starts: ${started.kind}`);
  return id;
}

/** Brings a draft with contacts into a state. */
export async function inState(world: World, party: Party, state: CampaignState): Promise<CampaignId> {
  const campaigns = campaignsOf(world.database, party);
  if (state === 'draft') return draft(world, party);
  const ahead = state === 'scheduled' ? { startsAtMs: Date.now() + 3_600_000 } : {};
  const id = await running(world, party, ahead);
  if (state === 'paused') await campaigns.changeState(id, { kind: 'pause' });
  if (state === 'cancelling' || state === 'cancelled') await campaigns.changeState(id, { kind: 'cancel' });
  if (state === 'cancelled' || state === 'completed')
    await world.database.side.$executeRaw`
      UPDATE campaigns SET state = ${state}, ended_at = clock_timestamp() WHERE id = ${id}::uuid`;
  return id;
}

export async function stateOf(world: World, party: Party, id: CampaignId) {
  const campaign = await campaignsOf(world.database, party).find(id);
  invariant(campaign, 'the account has it');
  return campaign;
}

/** More accounts than a test file leaves due: the longest due come first, and this one is due last. */
const MOST_DUE = 1_000;

/** Begins the turn of the party's account, due or not. It lasts longer than a busy machine needs for a test. */
export async function beginTurn(world: World, { accountId }: Party): Promise<Turn> {
  const { side } = world.database;
  // Times are kept to the millisecond: now may be rounded to a moment that is still to come.
  await side.$executeRaw`
    UPDATE dial_turns SET due_at = clock_timestamp() - interval '1 second', held_until = '-infinity'
    WHERE account_id = ${accountId}::uuid`;
  const turns = await world.schedules.beginTurns({ workerId: 'w', limit: MOST_DUE });
  await side.$executeRaw`
    UPDATE dial_turns SET held_until = clock_timestamp() + interval '10 minutes' WHERE account_id = ${accountId}::uuid`;
  const turn = turns.find((each) => each.accountId === accountId);
  invariant(turn, 'the account has a turn');
  return turn;
}

/** Takes what a turn may of a campaign. */
export const take = (world: World, { accountId, epoch }: Turn, campaignId: CampaignId, limit = 100) =>
  world.schedules.takeDue({ accountId, epoch, campaignId, limit });

export const stock = (world: World, { accountId, epoch }: Turn, campaignId: CampaignId, limit = 100) =>
  world.schedules.stock({ accountId, epoch, campaignId, limit });
