import type { CampaignRecord } from '@outdial/calls';
import { accountIdSchema, campaignIdSchema, type AccountId, type CampaignId } from '@outdial/contracts';
import type { CampaignAdministration } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { CliError } from '../../cli-error.ts';
import { campaignJson, campaignTable, campaignText } from '../campaign-report.ts';
import { wholeNumberText } from '../inputs.ts';
import type { Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const ACCOUNT = ['--account <id>', 'whose campaigns'] as const;
const CAMPAIGN_ID = [['<campaign-id>', 'from `campaigns list`']] as const;
const EXAMPLE_ID = '0190f3c4-0000-7000-8000-000000000001';
const campaignFields = { campaignId: campaignIdSchema, account: accountIdSchema };

const DONE = { pause: 'paused', resume: 'resumed', cancel: 'canceled' } as const;
type Wish = Parameters<CampaignAdministration['changeState']>[1];

interface OneCampaign {
  readonly account: AccountId;
  readonly campaignId: CampaignId;
}

export function addCampaignVerbs(program: Command, runVerb: RunVerb): void {
  const campaigns = createNoun(program, 'campaigns', 'Campaigns of accounts, which their members create and start.');
  addVerb(campaigns, runVerb, {
    name: 'list',
    summary: "List an account's campaigns, the newest first.",
    flags: [ACCOUNT, ['--limit <number>', 'campaigns, 1 to 1000 (default: 20)']],
    examples: ['campaigns list --account <account-id>'],
    changes: false,
    input: z.strictObject({
      account: accountIdSchema,
      limit: wholeNumberText({ min: 1, max: 1_000 }).default(20),
    }),
    async run(session, { account, limit }) {
      await session.administration.accounts.show(account);
      const list = await session.campaignsOf(account).list(limit);
      const nowMs = session.clock.nowMs();
      const json = { campaigns: list.map((campaign) => campaignJson(campaign, nowMs)) };
      return { json, text: campaignTable(list, nowMs) };
    },
  });
  addVerb(campaigns, runVerb, {
    name: 'show',
    summary: 'Show a campaign with its progress, and what holds it up.',
    arguments: CAMPAIGN_ID,
    flags: [ACCOUNT],
    examples: [`campaigns show ${EXAMPLE_ID} --account <account-id>`],
    changes: false,
    input: z.strictObject(campaignFields),
    run: (session, of) => reportOf(session, of),
  });
  addStateVerb(campaigns, runVerb, 'pause', 'Pause a campaign: within a second it dials no more. Open calls go on.');
  addStateVerb(campaigns, runVerb, 'resume', 'Resume a paused campaign where it was.');
  addCancelVerb(campaigns, runVerb);
}

function addStateVerb(campaigns: Command, runVerb: RunVerb, name: 'pause' | 'resume', summary: string): void {
  addVerb(campaigns, runVerb, {
    name,
    summary,
    arguments: CAMPAIGN_ID,
    flags: [ACCOUNT],
    examples: [`campaigns ${name} ${EXAMPLE_ID} --account <account-id>`],
    changes: true,
    input: z.strictObject(campaignFields),
    async run(session, of) {
      await change(session, of, { kind: name });
      return reportOf(session, of);
    },
  });
}

function addCancelVerb(campaigns: Command, runVerb: RunVerb): void {
  addVerb(campaigns, runVerb, {
    name: 'cancel',
    summary: 'End a campaign for good: nothing more of it is dialed. Open calls go on, unless --hang-up is given.',
    arguments: CAMPAIGN_ID,
    flags: [ACCOUNT, ['--hang-up', 'end its open calls too']],
    examples: [`campaigns cancel ${EXAMPLE_ID} --account <account-id> --hang-up`],
    changes: true,
    input: z.strictObject({ ...campaignFields, hangUp: z.literal(true).optional() }),
    async run(session, { hangUp, ...of }) {
      await change(session, of, { kind: 'cancel', hangUp: hangUp === true });
      const { account, campaignId } = of;
      // From the cancellation on nothing is admitted: these are all that there will be.
      const open = hangUp === true ? await session.campaignsOf(account).openCalls(campaignId) : [];
      for (const callId of open) await session.endCall({ accountId: account, callId });
      return reportOf(session, of);
    },
  });
}

/** @throws CliError if it is not possible */
async function change(session: AdminSession, { account, campaignId }: OneCampaign, wish: Wish): Promise<void> {
  const outcome = await session.campaignsOf(account).changeState(campaignId, wish);
  if (outcome.kind === 'not_found') throw notFound(campaignId);
  if (outcome.kind === 'campaign_state')
    throw new CliError(`The campaign is ${outcome.state}, so it cannot be ${DONE[wish.kind]}. Nothing was changed.`);
  if (outcome.kind === 'too_many_campaigns')
    throw new CliError(`${outcome.limit} campaigns of the account run, and no more may. Nothing was changed.`);
}

async function reportOf(session: AdminSession, { account, campaignId }: OneCampaign): Promise<Report> {
  const { currency } = await session.administration.accounts.show(account);
  const campaign: CampaignRecord | null = await session.campaignsOf(account).find(campaignId);
  if (campaign === null) throw notFound(campaignId);
  const nowMs = session.clock.nowMs();
  return { json: { campaign: campaignJson(campaign, nowMs) }, text: campaignText(campaign, { currency, nowMs }) };
}

function notFound(campaignId: CampaignId): CliError {
  return new CliError(`The account has no campaign ${campaignId}.`);
}
