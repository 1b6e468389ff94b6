import { randomUUID } from 'node:crypto';
import type { CampaignRecord, Directory, EndCallOutcome, PlanCampaign } from '@outdial/calls';
import {
  campaignIdSchema,
  MOVABLE_CAMPAIGN_FIELDS,
  type AccountId,
  type CallId,
  type CampaignId,
  type CampaignState,
  type UpdateCampaignBody,
} from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { CampaignChange, CampaignCursor, OwnCampaigns } from '@outdial/persistence';
import { presentCampaign } from '@outdial/presentation';
import { invalidRequest } from '../../http/api-error.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import type { HeavyReads } from '../../http/heavy-reads.ts';
import { ownAccountOf, type OwnAccountDeps } from '../../http/own-account.ts';
import { noContent } from '../../http/reply.ts';
import type { PositionSeal } from '../../http/position-seal.ts';
import type { AccountPrincipal } from '../../http/principal.ts';
import { checkWebhookUrl } from '../webhooks/check-webhook-url.ts';
import type { EnsurePerCallEndpoint } from '../webhooks/per-call-endpoints.ts';
import type { WebhookDeps } from '../webhooks/webhook-deps.ts';
import {
  createCampaignContract,
  deleteCampaignContract,
  getCampaignContract,
  listCampaignsContract,
  updateCampaignContract,
} from './contracts.ts';
import { campaignNotFound, campaignRefusal, deletionRefusal, planRefusal } from './refusals.ts';
import { changeOf, checkFields, planOf, settingsOf } from './settings.ts';

export interface CampaignDeps extends OwnAccountDeps, Pick<WebhookDeps, 'egress'> {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly heavyReads: HeavyReads;
  readonly campaignCursors: PositionSeal;
  readonly planCampaign: PlanCampaign;
  readonly contactDirectory: Pick<Directory, 'findAgent' | 'rateDeck'>;
  readonly ensurePerCallEndpoint: EnsurePerCallEndpoint;
  readonly endCall: (input: { readonly accountId: AccountId; readonly callId: CallId }) => Promise<EndCallOutcome>;
}

/** @throws ApiError */
export async function campaignOf(campaigns: OwnCampaigns, id: CampaignId): Promise<CampaignRecord> {
  const campaign = await campaigns.find(id);
  if (campaign === null) throw campaignNotFound();
  return campaign;
}

/** The campaign after a change. @throws ApiError */
export async function presented({ clock }: CampaignDeps, campaigns: OwnCampaigns, id: CampaignId) {
  return { campaign: presentCampaign(await campaignOf(campaigns, id), clock.nowMs()) };
}

export function createCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(createCampaignContract, async ({ principal, body, deadlineMs }) => {
    checkFields(body, deps.clock.nowMs());
    await checkPlan(deps, principal, body, null);
    await prepareWebhooks(deps, principal, body, deadlineMs);
    const { campaigns } = ownAccountOf(deps, principal);
    const id = campaignIdSchema.parse(randomUUID());
    const outcome = await campaigns.create(id, settingsOf(body));
    if (outcome.kind === 'too_many_campaigns') throw campaignRefusal(outcome);
    return { status: 201, body: await presented(deps, campaigns, id) };
  });
}

export function listCampaignsRoute(deps: CampaignDeps): AccountRoute {
  const { campaignCursors: cursors, heavyReads, clock } = deps;
  return defineRoute(listCampaignsContract, async ({ principal, query: { limit, cursor } }) => {
    const accountId = principal.account.id;
    const after = cursor === undefined ? null : readCursor(cursors, accountId, cursor);
    const { campaigns } = ownAccountOf(deps, principal);
    const page = await heavyReads.read(accountId, () => campaigns.page({ after, limit }));
    const last = page.campaigns.at(-1);
    const next = page.hasMore && last ? cursors.write(accountId, last) : null;
    const nowMs = clock.nowMs();
    const shown = page.campaigns.map((campaign) => presentCampaign(campaign, nowMs));
    return { status: 200, body: { campaigns: shown, has_more: page.hasMore, next_cursor: next } };
  });
}

function readCursor(cursors: PositionSeal, accountId: AccountId, text: string): CampaignCursor {
  const position = cursors.read(accountId, text);
  if (position !== null) return { createdAtMs: position.createdAtMs, id: campaignIdSchema.parse(position.id) };
  throw invalidRequest([{ param: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }]);
}

export function getCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(getCampaignContract, async ({ principal, params }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    return { status: 200, body: await presented(deps, campaigns, params.campaign_id) };
  });
}

const MOVABLE_STATES: readonly CampaignState[] = ['draft', 'scheduled', 'running', 'paused'];
const FIXED_STATES: readonly CampaignState[] = ['draft', 'paused'];
/** What the plan of its calls depends on. */
const PLANNED_FIELDS = ['agent_id', 'from_number', 'max_duration_seconds', 'ring_timeout_seconds'] as const;

export function updateCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(updateCampaignContract, async ({ principal, params: { campaign_id: id }, body, deadlineMs }) => {
    const { campaigns } = ownAccountOf(deps, principal);
    const campaign = await campaignOf(campaigns, id);
    const isFixed = Object.keys(body).some((field) => !MOVABLE_CAMPAIGN_FIELDS.includes(field));
    const allowed = isFixed ? FIXED_STATES : MOVABLE_STATES;
    const { state } = campaign;
    if (!allowed.includes(state)) throw campaignRefusal({ kind: 'campaign_state', state });
    checkFields(body, deps.clock.nowMs(), campaign);
    await prepareWebhooks(deps, principal, body, deadlineMs);
    const planned = PLANNED_FIELDS.some((field) => body[field] !== undefined)
      ? await plannedChange(deps, principal, body, campaign)
      : {};
    const change = { ...changeOf(body), ...planned };
    // What was planned holds for the state that it was planned in.
    const outcome = await campaigns.update(id, { change, states: isFixed ? [state] : allowed });
    if (outcome.kind !== 'updated') throw campaignRefusal(outcome);
    return { status: 200, body: await presented(deps, campaigns, id) };
  });
}

export function deleteCampaignRoute(deps: CampaignDeps): AccountRoute {
  return defineRoute(deleteCampaignContract, async ({ principal, params: { campaign_id: id } }) => {
    const outcome = await ownAccountOf(deps, principal).campaigns.delete(id);
    if (outcome.kind !== 'deleted') throw deletionRefusal(outcome);
    return noContent();
  });
}

/** A draft is planned at its start. A paused campaign has a plan, which changes at once. */
async function plannedChange(
  deps: CampaignDeps,
  principal: AccountPrincipal,
  body: UpdateCampaignBody,
  campaign: CampaignRecord,
): Promise<CampaignChange> {
  const plan = await checkPlan(deps, principal, body, campaign);
  if (campaign.state === 'draft' || plan === null) return {};
  const { agent, callerNumber, limits } = plan;
  return { ...limits, callerNumber, ...(body.agent_id !== undefined && { agentVersion: agent.version }) };
}

/** Null: a draft’s account has no number yet. @throws ApiError */
async function checkPlan(
  { planCampaign }: CampaignDeps,
  principal: AccountPrincipal,
  body: UpdateCampaignBody,
  campaign: CampaignRecord | null,
) {
  const plan = await planOf(planCampaign, principal, body, campaign);
  if (plan.kind === 'planned') return plan;
  if (plan.kind === 'no_outbound_number' && (campaign === null || campaign.state === 'draft')) return null;
  throw planRefusal(plan);
}

/** @throws ApiError */
async function prepareWebhooks(
  deps: CampaignDeps,
  principal: AccountPrincipal,
  { webhook_url: url }: UpdateCampaignBody,
  byMs: number,
): Promise<void> {
  if (!url) return;
  checkWebhookUrl(deps, 'webhook_url', url);
  await deps.ensurePerCallEndpoint(principal, byMs);
}
