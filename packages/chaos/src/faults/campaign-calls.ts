import { callIdSchema, type CallId } from '@outdial/contracts';
import { addContacts, createCampaign, readCampaign, startCampaign, type CampaignPlan } from '../load/campaigns.ts';
import type { Account } from '../stack/account.ts';
import type { Service } from '../stack/service.ts';
import type { Stack } from '../stack/stack.ts';
import type { Trap } from '../stack/trap.ts';
import { catchFirst } from './catch-first.ts';
import type { FaultContext } from './fault.ts';
import { PATIENCE_MS, until } from './observe.ts';
import { inTime, type Struck } from './scheduled-calls.ts';

/** A campaign of a new account. */
export interface ChaosCampaign {
  readonly account: Account;
  readonly id: string;
  /** The first call of each contact: the ids are derived, so they are known before the calls exist. Smallest first. */
  readonly callIds: readonly CallId[];
}

/** Distinct numbers that the simulated network does not know: a call to one ends at once, after one dial. */
export function numbersFor(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `+1202556${String(index).padStart(4, '0')}`);
}

export async function draft(stack: Stack, { numbers, settings }: CampaignPlan): Promise<ChaosCampaign> {
  const account = await stack.account();
  const id = await createCampaign(stack, account, settings);
  await addContacts(stack, account, { id, numbers });
  return { account, id, callIds: await firstCallsOf(stack, id) };
}

/** @returns the first call of each contact, the smallest id first */
export async function firstCallsOf(stack: Stack, id: string): Promise<readonly CallId[]> {
  const rows = await stack.sql<{ callId: string }>(
    `SELECT contact_call_id(t.campaign_id, t.upload, t.line)::text AS "callId"
     FROM campaign_contacts t WHERE t.campaign_id = $1::uuid ORDER BY 1`,
    [id],
  );
  return rows.map(({ callId }) => callIdSchema.parse(callId));
}

/** Strikes the worker that runs into the trap once the campaign has started. */
export async function strikeCampaign(
  { stack }: Pick<FaultContext, 'stack'>,
  { campaign, arm }: { readonly campaign: ChaosCampaign; readonly arm: (worker: Service) => Trap },
  strike: (worker: Service) => Promise<void>,
): Promise<Struck> {
  const { account, id, callIds } = campaign;
  const striking = catchFirst(stack.workers, arm).then(async (found) => {
    await strike(found.worker);
    return { ...found, atMs: Date.now() };
  });
  await startCampaign(stack, account, id);
  return { account, callIds, ...(await inTime(striking)) };
}

/** Waits until it is over. @returns what is wrong with its progress */
export async function untilCompleted(
  stack: Stack,
  { account, id, callIds }: ChaosCampaign,
): Promise<readonly string[]> {
  await until('the campaign is completed', PATIENCE_MS, async () => {
    const { state } = await readCampaign(stack, account, id);
    return state === 'completed';
  });
  const { progress } = await readCampaign(stack, account, id);
  const { contacts, done, remaining, waiting, open } = progress;
  const isWhole = contacts === callIds.length && done === contacts && remaining + waiting + open === 0;
  return isWhole ? [] : [`a completed campaign shows ${JSON.stringify(progress)}: ${id}`];
}
