import {
  everOpens,
  retryOf,
  type CampaignRecord,
  type CampaignRefusal,
  type CampaignSettings,
  type PlanCampaign,
  type PlannedCampaign,
} from '@outdial/calls';
import {
  CAMPAIGN_LIMITS,
  TIME_ZONE_PROBLEM,
  type AgentId,
  type CreateCampaignBody,
  type InvalidParam,
  type UpdateCampaignBody,
} from '@outdial/contracts';
import { clockZoneNamed } from '@outdial/numbering';
import type { CampaignChange } from '@outdial/persistence';
import { invalidRequest } from '../../http/api-error.ts';
import type { AccountPrincipal } from '../../http/principal.ts';

const MICROS_PER_UNIT = 1_000_000;
const COUNTRIES = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Known to Intl, and no country. */
const NO_COUNTRIES: ReadonlySet<string> = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']);

type Fields = UpdateCampaignBody;
type StoredTimes = Pick<CampaignRecord, 'startsAtMs' | 'endsAtMs' | 'window'>;

const NO_TIMES: StoredTimes = { startsAtMs: null, endsAtMs: null, window: null };
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const NEVER_OPENS = 'must have at least one hour in which it calls';
const OPENS_TOO_LATE = 'must have an hour in which it calls between starts_at and ends_at';

/** Checks what the schema cannot. @throws ApiError that names each field */
export function checkFields(fields: Fields, nowMs: number, stored: StoredTimes = NO_TIMES): void {
  const problems: InvalidParam[] = [];
  const { window, default_country: country } = fields;
  const times = timesOf(fields, stored);
  if (fields.starts_at && times.startsAtMs !== null) {
    const message = startProblem(times.startsAtMs, nowMs);
    if (message !== null) problems.push({ param: 'starts_at', message });
  }
  const end = endProblem(times, nowMs);
  if (end !== null && (fields.ends_at !== undefined || fields.starts_at !== undefined))
    problems.push({ param: fields.ends_at === undefined ? 'starts_at' : 'ends_at', message: end });
  if (window && clockZoneNamed(window.time_zone) === null)
    problems.push({ param: 'window.time_zone', message: TIME_ZONE_PROBLEM });
  const changesHours = window || fields.ends_at !== undefined || fields.starts_at !== undefined;
  if (changesHours && problems.length === 0) {
    const message = hoursProblem(times, nowMs);
    if (message !== null)
      problems.push({ param: window ? 'window.days' : fields.ends_at ? 'ends_at' : 'starts_at', message });
  }
  if (country && !isCountry(country))
    problems.push({ param: 'default_country', message: 'must be a country like US (ISO 3166-1 alpha-2)' });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** @throws ApiError of a draft that would never call: its end has passed, or its window does not open before */
export function checkStart(times: StoredTimes, nowMs: number): void {
  const end = endProblem(times, nowMs);
  if (end !== null) throw invalidRequest([{ param: 'ends_at', message: `${end}: change it, then start the campaign` }]);
  const hours = hoursProblem(times, nowMs);
  if (hours !== null)
    throw invalidRequest([
      { param: 'window.days', message: `${hours}: change it or ends_at, then start the campaign` },
    ]);
}

/** What holds after the change. */
function timesOf({ starts_at: starts, ends_at: ends, window }: Fields, stored: StoredTimes): StoredTimes {
  return {
    startsAtMs: starts === undefined ? stored.startsAtMs : millisOf(starts),
    endsAtMs: ends === undefined ? stored.endsAtMs : millisOf(ends),
    window: window === undefined ? stored.window : window,
  };
}

function startProblem(startsAtMs: number, nowMs: number): string | null {
  // A time that has just passed counts as now.
  if (startsAtMs < nowMs - MINUTE_MS) return 'is more than 60 seconds past: leave it out to begin at the start';
  const { startsAheadDays: days } = CAMPAIGN_LIMITS;
  return startsAtMs > nowMs + days * DAY_MS ? `is more than ${days} days ahead` : null;
}

function endProblem({ startsAtMs, endsAtMs }: StoredTimes, nowMs: number): string | null {
  if (endsAtMs === null) return null;
  if (endsAtMs <= nowMs) return 'must be in the future';
  const { endsAheadDays: days } = CAMPAIGN_LIMITS;
  if (endsAtMs > nowMs + days * DAY_MS) return `is more than ${days} days ahead`;
  return startsAtMs !== null && endsAtMs <= startsAtMs ? 'must be after starts_at' : null;
}

function hoursProblem({ startsAtMs, endsAtMs, window }: StoredTimes, nowMs: number): string | null {
  const zone = window && clockZoneNamed(window.time_zone);
  if (!window || !zone) return null;
  const hours = { timeZone: zone, week: window.days };
  if (!everOpens(hours, nowMs)) return NEVER_OPENS;
  const fromMs = Math.max(nowMs, startsAtMs ?? nowMs);
  return endsAtMs === null || everOpens(hours, fromMs, endsAtMs) ? null : OPENS_TOO_LATE;
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
    window: window && { time_zone: clockZoneNamed(window.time_zone) ?? window.time_zone, days: window.days },
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
