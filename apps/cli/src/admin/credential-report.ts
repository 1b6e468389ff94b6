import { parseBreakerName, type BreakerScope, type OpenBreaker } from '@outdial/calls';
import type { CredentialRecord } from '@outdial/persistence';
import { formatFacts, formatTable } from '../terminal/table.ts';
import { isoTime, isoTimeOrNull, shownTime } from './columns.ts';
import type { Json, Report } from './report.ts';

export function credentialReport(credential: CredentialRecord): Report {
  const text = formatFacts([
    ['Credential', credential.id],
    ['Owner', credential.accountId ?? 'the operator'],
    ['Provider', credential.provider],
    ['Name', credential.name],
    ['Key ends with', credential.shownSuffix || '-'],
    ['Address', credential.baseUrl ?? '-'],
    ['Region', credential.region ?? '-'],
    ['Limits group', credential.limitsGroup ?? '-'],
    ['Most calls', credential.maxConcurrentCalls?.toString() ?? '-'],
    ['Starts per second', credential.startsPerSecond?.toString() ?? '-'],
    ['Most texts spoken at once', credential.maxGenerations?.toString() ?? '-'],
    ['Created', shownTime(credential.createdAtMs)],
    ['Rotated', shownTime(credential.rotatedAtMs)],
    ['Checked', shownTime(credential.checkedAtMs)],
    ['Found', credential.checkResult ?? '-'],
  ]);
  return { json: { credential: credentialJson(credential) }, text };
}

export function credentialJson(credential: CredentialRecord): Readonly<Record<string, Json>> {
  return {
    id: credential.id,
    account_id: credential.accountId,
    provider: credential.provider,
    name: credential.name,
    base_url: credential.baseUrl,
    region: credential.region,
    shown_suffix: credential.shownSuffix,
    limits_group: credential.limitsGroup,
    max_concurrent_calls: credential.maxConcurrentCalls,
    starts_per_second: credential.startsPerSecond,
    max_generations: credential.maxGenerations,
    created_at: isoTime(credential.createdAtMs),
    rotated_at: isoTime(credential.rotatedAtMs),
    checked_at: isoTimeOrNull(credential.checkedAtMs),
    check_result: credential.checkResult,
  };
}

/** Breakers of a credential's models that are not closed; null if Redis did not say. */
type OpenBreakers = readonly OpenBreaker[] | null;

interface ShownBreaker {
  readonly component: string;
  readonly model: string;
  readonly scope: BreakerScope;
  readonly state: 'open' | 'half_open';
}

function breakersAt({ id }: CredentialRecord, breakers: OpenBreakers): readonly ShownBreaker[] | null {
  if (breakers === null) return null;
  return breakers.flatMap(({ breaker, forMs }) => {
    const parsed = parseBreakerName(breaker);
    if (parsed?.credentialId !== id) return [];
    const { component, model, scope } = parsed;
    return [{ component, model, scope, state: forMs > 0 ? 'open' : 'half_open' }];
  });
}

export function credentialsJson(credentials: readonly CredentialRecord[], breakers: OpenBreakers): Json {
  return {
    credentials: credentials.map((credential) => ({
      ...credentialJson(credential),
      breakers: breakersAt(credential, breakers)?.map((one) => ({ ...one })) ?? null,
    })),
  };
}

/** Such as `llm gpt-5 open, tts sonic half_open (account)`. */
function breakersText(credential: CredentialRecord, breakers: OpenBreakers): string {
  const shown = breakersAt(credential, breakers);
  if (shown === null) return 'unknown';
  const texts = shown.map(
    ({ component, model, scope, state }) => `${component} ${model} ${state}${scope === 'model' ? '' : ` (${scope})`}`,
  );
  return texts.join(', ') || '-';
}

export function credentialTable(credentials: readonly CredentialRecord[], breakers: OpenBreakers): readonly string[] {
  return formatTable<CredentialRecord>(
    [
      { title: 'ID', value: (credential) => credential.id },
      { title: 'PROVIDER', value: (credential) => credential.provider },
      { title: 'NAME', value: (credential) => credential.name },
      { title: 'KEY ENDS WITH', value: (credential) => credential.shownSuffix || '-' },
      { title: 'ROTATED', value: (credential) => shownTime(credential.rotatedAtMs) },
      { title: 'CHECKED', value: (credential) => shownTime(credential.checkedAtMs) },
      { title: 'FOUND', value: (credential) => credential.checkResult ?? '-' },
      { title: 'BREAKERS', value: (credential) => breakersText(credential, breakers) },
    ],
    credentials,
    'There are no credentials yet: add one with `credentials add`.',
  );
}
