import type { CampaignRecord } from '@outdial/calls';
import type { CampaignId } from '@outdial/contracts';
import type { CampaignOutcome, CampaignPlan, OwnCampaigns } from '@outdial/persistence';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import {
  cancelCampaignContract,
  pauseCampaignContract,
  resumeCampaignContract,
  startCampaignContract,
} from './contracts.ts';
import { campaignOf, presented, type CampaignDeps } from './handlers.ts';
import { campaignRefusal, planRefusal } from './refusals.ts';
import { checkStart, planOf } from './settings.ts';

export function startCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(startCampaignContract, async ({ principal, params: { campaign_id: id } }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    return answer(deps, campaigns, id, await start(deps, principal, campaigns, id));
  });
}

const MOST_PLANS = 3;

/** A draft that was changed while it was planned is planned again. @throws ApiError */
async function start(deps: CampaignDeps, principal: AccountPrincipal, campaigns: OwnCampaigns, id: CampaignId) {
  for (let plans = 1; ; plans += 1) {
    const campaign = await campaignOf(campaigns, id);
    const plan = await planStart(deps, principal, campaign);
    const outcome = await campaigns.changeState(id, { kind: 'start', plan, madeOf: campaign });
    const isStillDraft = outcome.kind === 'campaign_state' && outcome.state === 'draft';
    if (!isStillDraft || plans === MOST_PLANS) return outcome;
  }
}

/** Null: it is no draft. @throws ApiError */
async function planStart(
  { planCampaign, clock }: CampaignDeps,
  principal: AccountPrincipal,
  campaign: CampaignRecord,
): Promise<CampaignPlan | null> {
  if (campaign.state !== 'draft') return null;
  checkStart(campaign, clock.nowMs());
  const plan = await planOf(planCampaign, principal, {}, campaign);
  if (plan.kind !== 'planned') throw planRefusal(plan);
  return { agentVersion: plan.agent.version, callerNumber: plan.callerNumber, ...plan.limits };
}

export function pauseCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(pauseCampaignContract, async ({ principal, params: { campaign_id: id } }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    return answer(deps, campaigns, id, await campaigns.changeState(id, { kind: 'pause' }));
  });
}

export function resumeCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(resumeCampaignContract, async ({ principal, params: { campaign_id: id } }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    return answer(deps, campaigns, id, await campaigns.changeState(id, { kind: 'resume' }));
  });
}

export function cancelCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(cancelCampaignContract, async ({ principal, params: { campaign_id: id }, body }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    const outcome = await campaigns.changeState(id, { kind: 'cancel', hangUp: body.hang_up });
    const isOver = outcome.kind === 'changed' || outcome.kind === 'unchanged';
    // From the cancellation on nothing is admitted: these are all that there will be.
    if (isOver && body.hang_up) await hangUp(deps, principal, await campaigns.openCalls(id));
    return answer(deps, campaigns, id, outcome);
  });
}

const ENDED_AT_ONCE = 50;

async function hangUp(
  { endCall }: CampaignDeps,
  { account }: AccountPrincipal,
  calls: Awaited<ReturnType<OwnCampaigns['openCalls']>>,
): Promise<void> {
  for (let at = 0; at < calls.length; at += ENDED_AT_ONCE) {
    const some = calls.slice(at, at + ENDED_AT_ONCE);
    await Promise.all(some.map((callId) => endCall({ accountId: account.id, callId })));
  }
}

async function answer(deps: CampaignDeps, campaigns: OwnCampaigns, id: CampaignId, outcome: CampaignOutcome) {
  if (outcome.kind !== 'changed' && outcome.kind !== 'unchanged') throw campaignRefusal(outcome);
  const body = await presented(deps, campaigns, id);
  return outcome.kind === 'changed' ? ({ status: 202, body } as const) : ({ status: 200, body } as const);
}
