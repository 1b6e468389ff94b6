import { parseBreakerName, type LoweredModel, type OpenBreaker } from '@outdial/calls';
import type {
  AccountBreakerBody,
  AccountId,
  LineName,
  OperatedBreakerBody,
  OperatedCredentialBody,
  OperatedLineBody,
  OperatedProvidersBody,
} from '@outdial/contracts';
import type { OperatedCredential, OperatedLine } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';

export const MOST_CREDENTIALS = 200;
export const MOST_ACCOUNT_BREAKERS = 50;
/** Of a credential. */
const MOST_BREAKERS = 20;

/** Null, and counts that are missing: Redis is away, or its lines are not loaded yet. */
export interface ProviderReadings {
  readonly credentials: readonly OperatedCredential[];
  readonly hasMore: boolean;
  readonly ofAll: readonly OpenBreaker[] | null;
  readonly ofAccounts: readonly (OpenBreaker & { readonly owner: AccountId })[] | null;
  readonly moreOfAccounts: number;
  readonly accountNames: ReadonlyMap<AccountId, string>;
  readonly inUse: ReadonlyMap<LineName, number | null>;
  readonly lowered: readonly LoweredModel[];
}

export function presentProviders(readings: ProviderReadings): OperatedProvidersBody {
  const { credentials, hasMore, ofAccounts, moreOfAccounts, accountNames } = readings;
  const names = new Map<string, string>(credentials.map(({ id, name }) => [id, name]));
  return {
    credentials: credentials
      .map((credential) => presentCredential(credential, readings))
      .toSorted((a, b) => Number(isLimited(b)) - Number(isLimited(a))),
    has_more: hasMore,
    account_breakers: ofAccounts?.flatMap((one) => presentAccountBreaker(one, names, accountNames)) ?? null,
    more_account_breakers: moreOfAccounts,
  };
}

/** Takes fewer calls than it could. */
function isLimited({ check_result: result, breakers, lines }: OperatedCredentialBody): boolean {
  const isLow = lines.some(({ in_use: inUse, max_calls: most, lowered }) => lowered.length > 0 || (inUse ?? 0) >= most);
  return result === 'rejected' || (breakers?.length ?? 0) > 0 || isLow;
}

function presentCredential(credential: OperatedCredential, readings: ProviderReadings): OperatedCredentialBody {
  const { id, provider, name, limitsGroup, rotatedAtMs, checkedAtMs, checkResult, lines } = credential;
  return {
    id,
    provider,
    name,
    limits_group: limitsGroup,
    rotated_at: timestamp(rotatedAtMs),
    checked_at: timestampOrNull(checkedAtMs),
    check_result: checkResult,
    lines: lines.map((line) => presentLine(id, line, readings)),
    breakers: readings.ofAll?.flatMap((one) => presentBreaker(id, one)).slice(0, MOST_BREAKERS) ?? null,
  };
}

function presentLine(
  credentialId: string,
  { component, name, maxCalls, startsPerSecond }: OperatedLine,
  { inUse, lowered }: ProviderReadings,
): OperatedLineBody {
  return {
    component,
    in_use: inUse.get(name) ?? null,
    max_calls: maxCalls,
    starts_per_second: startsPerSecond,
    lowered: lowered.flatMap(({ model, places, untilMs }) => {
      const parsed = parseBreakerName(model);
      if (parsed?.credentialId !== credentialId || parsed.component !== component) return [];
      return [{ model: parsed.model, max_calls: Math.min(places, maxCalls), until: timestamp(untilMs) }];
    }),
  };
}

function presentBreaker(credentialId: string, breaker: OpenBreaker): readonly OperatedBreakerBody[] {
  const parsed = parseBreakerName(breaker.breaker);
  if (parsed?.credentialId !== credentialId) return [];
  return [{ component: parsed.component, model: parsed.model, ...presentOutage(breaker) }];
}

function presentAccountBreaker(
  breaker: OpenBreaker & { readonly owner: AccountId },
  credentialNames: ReadonlyMap<string, string>,
  accountNames: ReadonlyMap<AccountId, string>,
): readonly AccountBreakerBody[] {
  const parsed = parseBreakerName(breaker.breaker);
  if (parsed === null) return [];
  const { provider, component, model, credentialId, scope } = parsed;
  const account = { id: breaker.owner, name: accountNames.get(breaker.owner) ?? null };
  return [
    {
      provider,
      component,
      model,
      account,
      // The breaker of an account's own credential holds back all calls of the account.
      scope: scope === 'agent_version' ? scope : 'account',
      credential: credentialNames.get(credentialId) ?? null,
      ...presentOutage(breaker),
    },
  ];
}

function presentOutage({ forMs, sinceMs, untilMs, streak }: OpenBreaker) {
  return {
    state: forMs > 0 ? ('open' as const) : ('half_open' as const),
    since: timestamp(sinceMs),
    until: timestamp(untilMs),
    openings: streak,
  };
}
