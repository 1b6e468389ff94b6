import type { CampaignSettings } from '@outdial/calls';
import { CAMPAIGN_LIMITS, type AccountId, type CampaignId, type CampaignState, type E164 } from '@outdial/contracts';
import { queryWithAccountLocked } from '../administration/account-bounds.ts';
import { auditPart, type AdministrationContext } from '../administration/audit.ts';
import { Prisma } from '../generated/client.ts';

/** What the calls of a started campaign have in common. */
export interface CampaignPlan {
  readonly agentVersion: number;
  readonly callerNumber: E164;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
}

/** What a plan depends on. */
export type PlannedSettings = Pick<
  CampaignSettings,
  'agentId' | 'callerNumber' | 'maxDurationSeconds' | 'ringTimeoutSeconds'
>;

type Changeable = CampaignSettings & Pick<CampaignPlan, 'agentVersion'>;

/** Only what changes. */
export type CampaignChange = { readonly [Key in keyof Changeable]?: Changeable[Key] | undefined };

export type CampaignWish =
  /**
   * Only a draft starts: without a plan, a campaign that is none stays as it is. `madeOf`: the settings that the plan was made of;
   * a draft whose settings are others by now stays one, and must be planned again.
   */
  | { readonly kind: 'start'; readonly plan: CampaignPlan | null; readonly madeOf?: PlannedSettings }
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** `hangUp`: its open calls are to end too, now or by the sweep. */
  | { readonly kind: 'cancel'; readonly hangUp?: boolean };

/** The campaign is in a state that does not allow it. */
export interface WrongState {
  readonly kind: 'campaign_state';
  readonly state: CampaignState;
}

export type CampaignOutcome =
  | { readonly kind: 'changed'; readonly state: CampaignState }
  /** It is so already. */
  | { readonly kind: 'unchanged'; readonly state: CampaignState }
  | WrongState
  | { readonly kind: 'campaign_empty' }
  | { readonly kind: 'upload_in_progress' }
  | { readonly kind: 'too_many_campaigns'; readonly limit: number }
  | { readonly kind: 'not_found' };

export type CreateCampaignOutcome =
  | { readonly kind: 'created'; readonly id: CampaignId }
  | { readonly kind: 'too_many_campaigns'; readonly limit: number };

export type UpdateCampaignOutcome = { readonly kind: 'updated' } | WrongState | { readonly kind: 'not_found' };

/** Context of an account's campaigns. */
export interface CampaignContext extends AdministrationContext {
  readonly accountId: AccountId;
}

/** A draft, with its lane. */
export async function createCampaign(
  { database, actor, accountId }: CampaignContext,
  id: CampaignId,
  settings: CampaignSettings,
): Promise<CreateCampaignOutcome> {
  const { name, agentId } = settings;
  const data = { account_id: accountId, name, agent_id: agentId };
  const rows = await queryWithAccountLocked<{ id: CampaignId }>(
    database,
    accountId,
    Prisma.sql`
      WITH changed AS (
        INSERT INTO campaigns (id, account_id, state, created_by, ${COLUMNS})
        SELECT ${id}::uuid, ${accountId}::uuid, 'draft', ${actor}, ${COLUMNS}
        FROM json_populate_record(NULL::campaigns, ${JSON.stringify(toStored(settings))}::json)
        WHERE (SELECT count(*) FROM campaigns g WHERE g.account_id = ${accountId}::uuid AND g.deleted_at IS NULL)
          < ${CAMPAIGN_LIMITS.campaigns}::int
        RETURNING id
      ), lanes AS (
        INSERT INTO campaign_lanes (campaign_id) SELECT c.id FROM changed c
      ), ${auditPart(actor, { action: 'campaign.create', subjectId: id, data })}
      SELECT c.id FROM changed c`,
  );
  return rows.length === 1 ? { kind: 'created', id } : { kind: 'too_many_campaigns', limit: CAMPAIGN_LIMITS.campaigns };
}

/** `states`: those in which the campaign may be changed like this. */
export async function updateCampaign(
  { database: { side }, actor, accountId }: CampaignContext,
  campaignId: CampaignId,
  { change, states }: { readonly change: CampaignChange; readonly states: readonly CampaignState[] },
): Promise<UpdateCampaignOutcome> {
  const [row] = await side.$queryRaw<{ isChanged: boolean; state: CampaignState }[]>`
    SELECT is_changed AS "isChanged", state FROM update_campaign(
      ${accountId}::uuid, ${campaignId}::uuid, ${actor}, ${[...states]}::text[], ${JSON.stringify(toStored(change))}::json)`;
  if (!row) return { kind: 'not_found' };
  return row.isChanged ? { kind: 'updated' } : { kind: 'campaign_state', state: row.state };
}

interface OutcomeRow {
  readonly outcome: Exclude<CampaignOutcome['kind'], 'not_found'>;
  readonly state: CampaignState;
}

/** Idempotent: what is so already stays as it is. From the commit of a pause or a cancellation nothing more is admitted. */
export async function changeCampaignState(
  { database: { side }, actor, accountId }: CampaignContext,
  campaignId: CampaignId,
  wish: CampaignWish,
): Promise<CampaignOutcome> {
  const plan = planOf(wish);
  const [row] = await side.$queryRaw<OutcomeRow[]>`
    SELECT outcome, state FROM change_campaign_state(
      ${accountId}::uuid, ${campaignId}::uuid, ${wish.kind}, ${actor}, ${plan}::json, ${CAMPAIGN_LIMITS.running}::int)`;
  if (!row) return { kind: 'not_found' };
  const { outcome, state } = row;
  if (outcome === 'too_many_campaigns') return { kind: outcome, limit: CAMPAIGN_LIMITS.running };
  if (outcome === 'campaign_empty' || outcome === 'upload_in_progress') return { kind: outcome };
  return { kind: outcome, state };
}

function planOf(wish: CampaignWish): string | null {
  if (wish.kind === 'cancel') return JSON.stringify({ hang_up: wish.hangUp ?? false });
  if (wish.kind !== 'start' || !wish.plan) return null;
  const { plan, madeOf } = wish;
  return JSON.stringify({ ...toStored(plan), ...(madeOf && { made_of: toStored(plannedSettings(madeOf)) }) });
}

/** Of a whole campaign too. */
function plannedSettings(of: PlannedSettings): PlannedSettings {
  const { agentId, callerNumber, maxDurationSeconds, ringTimeoutSeconds } = of;
  return { agentId, callerNumber, maxDurationSeconds, ringTimeoutSeconds };
}

const COLUMNS = Prisma.sql`name, agent_id, caller_number, columns, default_country, retry, calls_per_second, max_concurrent,
  weight, "window", starts_at, ends_at, budget_micros, max_duration_seconds, ring_timeout_seconds, webhook_url, metadata`;

const TIMES = { startsAtMs: 'starts_at', endsAtMs: 'ends_at' } as const;
const TEXTS = { budgetMicros: 'budget_micros' } as const;
const OTHERS = {
  name: 'name',
  agentId: 'agent_id',
  agentVersion: 'agent_version',
  callerNumber: 'caller_number',
  columns: 'columns',
  defaultCountry: 'default_country',
  retry: 'retry',
  callsPerSecond: 'calls_per_second',
  maxConcurrent: 'max_concurrent',
  weight: 'weight',
  window: 'window',
  maxDurationSeconds: 'max_duration_seconds',
  ringTimeoutSeconds: 'ring_timeout_seconds',
  webhookUrl: 'webhook_url',
  metadata: 'metadata',
} as const;

/** By column; what is not given is left out. */
function toStored(change: CampaignChange): Readonly<Record<string, unknown>> {
  const stored: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(change)) {
    if (value === undefined) continue;
    if (isKeyOf(TIMES, key)) stored[TIMES[key]] = typeof value === 'number' ? new Date(value).toISOString() : null;
    else if (isKeyOf(TEXTS, key)) stored[TEXTS[key]] = typeof value === 'bigint' ? value.toString() : null;
    else if (isKeyOf(OTHERS, key)) stored[OTHERS[key]] = value;
  }
  return stored;
}

function isKeyOf<Map extends object>(map: Map, key: PropertyKey): key is keyof Map {
  return Object.hasOwn(map, key);
}
