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
    ['Created', shownTime(credential.createdAtMs)],
    ['Rotated', shownTime(credential.rotatedAtMs)],
    ['Checked', shownTime(credential.checkedAtMs)],
    ['Found', credential.checkResult ?? '-'],
  ]);
  return { json: { credential: credentialJson(credential) }, text };
}

export function credentialJson(credential: CredentialRecord): Json {
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
    created_at: isoTime(credential.createdAtMs),
    rotated_at: isoTime(credential.rotatedAtMs),
    checked_at: isoTimeOrNull(credential.checkedAtMs),
    check_result: credential.checkResult,
  };
}

export function credentialTable(credentials: readonly CredentialRecord[]): readonly string[] {
  return formatTable<CredentialRecord>(
    [
      { title: 'ID', value: (credential) => credential.id },
      { title: 'PROVIDER', value: (credential) => credential.provider },
      { title: 'NAME', value: (credential) => credential.name },
      { title: 'KEY ENDS WITH', value: (credential) => credential.shownSuffix || '-' },
      { title: 'ROTATED', value: (credential) => shownTime(credential.rotatedAtMs) },
      { title: 'CHECKED', value: (credential) => shownTime(credential.checkedAtMs) },
      { title: 'FOUND', value: (credential) => credential.checkResult ?? '-' },
    ],
    credentials,
    'There are no credentials yet: add one with `credentials add`.',
  );
}
