import {
  everOpens,
  retryOf,
  type CampaignRecord,
  type CampaignRefusal,
  type CampaignSettings,
  type PlanCampaign,
  type PlannedCampaign,
} from '@outdial/calls';
import type { AgentId, CreateCampaignBody, InvalidParam, UpdateCampaignBody } from '@outdial/contracts';
import { zoneNamed } from '@outdial/numbering';
import type { CampaignChange } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';
import type { AccountPrincipal } from '../../http/principal.ts';

const MICROS_PER_UNIT = 1_000_000;
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Known to Intl, and no country. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

type Fields = UpdateCampaignBody;
type StoredTimes = Pick<CampaignRecord, 'startsAtMs' | 'endsAtMs'>;

const NO_TIMES: StoredTimes = { startsAtMs: null, endsAtMs: null };

/** Checks what the schema cannot. @throws ApiError that names each field */
export function checkFields(fields: Fields, nowMs: number, stored: StoredTimes = NO_TIMES): void {
  const problems: InvalidParam[] = [];
  const { window, default_country: country } = fields;
  if (window) {
    const zone = zoneNamed(window.time_zone);
    if (zone === null)
      problems.push({
        param: 'window.time_zone',
        message: 'must be a time zone of the IANA database, like America/Denver',
      });
    else if (!everOpens({ timeZone: zone, week: window.days }, nowMs))
      problems.push({ param: 'window.days', message: 'must have at least one hour in which it calls' });
  }
  const startsAtMs = fields.starts_at === undefined ? stored.startsAtMs : millisOf(fields.starts_at);
  const endsAtMs = fields.ends_at === undefined ? stored.endsAtMs : millisOf(fields.ends_at);
  const end = endProblem(startsAtMs, endsAtMs, nowMs);
  if (end !== null && (fields.ends_at !== undefined || fields.starts_at !== undefined))
    problems.push({ param: fields.ends_at === undefined ? 'starts_at' : 'ends_at', message: end });
  if (country && !isCountry(country))
    problems.push({ param: 'default_country', message: 'must be a country like US (ISO 3166-1 alpha-2)' });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** @throws ApiError of a draft whose end has passed before it starts */
export function checkEnd({ startsAtMs, endsAtMs }: StoredTimes, nowMs: number): void {
  const message = endProblem(startsAtMs, endsAtMs, nowMs);
  if (message !== null) throw invalidRequest([{ param: 'ends_at', message }]);
}

function endProblem(startsAtMs: number | null, endsAtMs: number | null, nowMs: number): string | null {
  if (endsAtMs === null) return null;
  if (endsAtMs <= nowMs) return 'must be in the future';
  return startsAtMs !== null && endsAtMs <= startsAtMs ? 'must be after starts_at' : null;
}

function isCountry(code: string): boolean {
  return !NO_COUNTRIES.has(code) && COUNTRIES.of(code) !== undefined;
}

/** What the fields say, as it is stored. */
export function changeOf(fields: Fields): CampaignChange {
  const { retry, window, budget } = fields;
  const plan = retry && retryOf(retry);
  return {
    name: fields.name,
    agentId: fields.agent_id,
    callerNumber: fields.from_number,
    columns: fields.columns,
    defaultCountry: fields.default_country,
    retry: plan && { max_attempts: plan.maxAttempts, on: plan.on, after_seconds: plan.afterSeconds },
    callsPerSecond: fields.calls_per_second,
    maxConcurrent: fields.max_concurrent,
    weight: fields.weight,
    window: window && { time_zone: zoneNamed(window.time_zone) ?? window.time_zone, days: window.days },
    startsAtMs: fields.starts_at === undefined ? undefined : millisOf(fields.starts_at),
    endsAtMs: fields.ends_at === undefined ? undefined : millisOf(fields.ends_at),
    budgetMicros: typeof budget === 'number' ? BigInt(Math.round(budget * MICROS_PER_UNIT)) : budget,
    maxDurationSeconds: fields.max_duration_seconds,
    ringTimeoutSeconds: fields.ring_timeout_seconds,
    webhookUrl: fields.webhook_url,
    metadata: fields.metadata,
  };
}

/** Of a new campaign: the schema has filled in what the request leaves out. */
export function settingsOf(body: CreateCampaignBody): CampaignSettings {
  const change = changeOf(body);
  return {
    name: body.name,
    agentId: body.agent_id,
    callerNumber: body.from_number,
    columns: body.columns,
    defaultCountry: body.default_country,
    retry: change.retry ?? null,
    callsPerSecond: body.calls_per_second,
    maxConcurrent: body.max_concurrent,
    weight: body.weight,
    window: change.window ?? null,
    startsAtMs: change.startsAtMs ?? null,
    endsAtMs: change.endsAtMs ?? null,
    budgetMicros: change.budgetMicros ?? null,
    maxDurationSeconds: body.max_duration_seconds,
    ringTimeoutSeconds: body.ring_timeout_seconds,
    webhookUrl: body.webhook_url,
    metadata: body.metadata,
  };
}

type Planned = Pick<CampaignRecord, 'agentId' | 'callerNumber' | 'maxDurationSeconds' | 'ringTimeoutSeconds'>;

/** What its calls would have in common now: the fields, and what is stored for the rest. */
export function planOf(
  planCampaign: PlanCampaign,
  { account }: AccountPrincipal,
  fields: Fields,
  stored: Planned | null,
): Promise<PlannedCampaign | CampaignRefusal> {
  const agentId: AgentId | undefined = fields.agent_id ?? stored?.agentId;
  if (agentId === undefined) return Promise.resolve({ kind: 'agent_access_denied' });
  return planCampaign(account, {
    agent_id: agentId,
    from_number: given(fields.from_number, stored?.callerNumber),
    max_duration_seconds: given(fields.max_duration_seconds, stored?.maxDurationSeconds),
    ring_timeout_seconds: given(fields.ring_timeout_seconds, stored?.ringTimeoutSeconds),
  });
}

/** Null says that the default is wanted. */
function given<Value>(field: Value | null | undefined, stored: Value | null | undefined): Value | undefined {
  return (field === undefined ? stored : field) ?? undefined;
}

function millisOf(time: string | null): number | null {
  return time === null ? null : Date.parse(time);
}
