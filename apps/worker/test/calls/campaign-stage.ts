import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { campaignIdSchema, e164Schema, type CampaignId, type CampaignState, type E164 } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { openOwnAccount, type OwnCampaigns } from '@outdial/persistence';
import { campaignSettings } from '@outdial/persistence/seeding';
import { expect } from 'vitest';
import { z } from 'zod';
import type { Stage } from '../stage.ts';

const BOUNDS = { apiKeys: 1, agents: 1, credentials: 1, secrets: 1 };
const CALLER = e164Schema.parse('+12025550199');

export const ownCampaigns = ({ database, accountId }: Stage): OwnCampaigns =>
  openOwnAccount(database, { accountId, actor: 'user:kim', bounds: BOUNDS }).campaigns;

export interface WalkPlan {
  readonly numbers: readonly E164[];
  readonly maxAttempts: number;
  readonly retryAfterSeconds?: number;
  readonly maxConcurrent: number;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
}

/** Starts a campaign that retries busy, unanswered and unavailable numbers, sooner than a request may ask for. */
export async function startWalk(stage: Stage, plan: WalkPlan): Promise<CampaignId> {
  const campaigns = ownCampaigns(stage);
  const { maxAttempts, retryAfterSeconds = 1, maxConcurrent, maxDurationSeconds, ringTimeoutSeconds } = plan;
  const id = campaignIdSchema.parse(randomUUID());
  const retry = {
    max_attempts: maxAttempts,
    on: ['busy', 'no_answer', 'carrier_unavailable'],
    after_seconds: [retryAfterSeconds],
  } as const;
  await campaigns.create(id, campaignSettings(stage.agentId, { name: 'Walk', retry, maxConcurrent }));
  const contacts = plan.numbers.map((number) => ({ number, variables: { name: 'Ada' }, metadata: {}, timeZone: null }));
  await campaigns.addContacts(id, contacts);
  const start = {
    kind: 'start',
    plan: { agentVersion: 1, callerNumber: CALLER, maxDurationSeconds, ringTimeoutSeconds },
  } as const;
  expect(await campaigns.changeState(id, start)).toMatchObject({ kind: 'changed', state: 'running' });
  return id;
}

export async function readCampaign(stage: Stage, id: CampaignId) {
  const campaign = await ownCampaigns(stage).find(id);
  invariant(campaign, 'the account has it');
  return campaign;
}

export const untilState = (stage: Stage, id: CampaignId, state: CampaignState, timeout = 60_000) =>
  expect.poll(async () => (await readCampaign(stage, id)).state, { timeout, interval: 200 }).toBe(state);

/** What became of each contact: how its last call ended, and its attempts. */
export async function outcomesOf(
  stage: Stage,
  id: CampaignId,
): Promise<ReadonlyMap<E164, readonly [string | null, number]>> {
  const { contacts } = await ownCampaigns(stage).contacts(id, { after: null, limit: 1_000 });
  return new Map(contacts.map(({ number, endedReason, attempts }) => [number, [endedReason, attempts]]));
}

const lineSchema = z.object({ call_id: z.string(), to: e164Schema, event: z.enum(['invite', 'ended']) });

/** How often the network was asked for each number; no call reaches a telephone twice. */
export async function dialsIn(journal: string): Promise<ReadonlyMap<E164, number>> {
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  const invites = lines.map((line) => lineSchema.parse(JSON.parse(line))).filter(({ event }) => event === 'invite');
  expect(new Set(invites.map(({ call_id: id }) => id)).size).toBe(invites.length);
  const dials = new Map<E164, number>();
  for (const { to } of invites) dials.set(to, (dials.get(to) ?? 0) + 1);
  return dials;
}
