import type { Call, ChangedCall } from '@outdial/calls';
import type { AccountId } from '@outdial/contracts';

/** `resync`: more has changed than is sent, or the changes are unknown; the client must list the calls again. */
export type ChangeNews = { readonly kind: 'changed'; readonly calls: readonly Call[] } | { readonly kind: 'resync' };

/** The most calls sent to one follower at once: beyond this, a list is the shorter answer. */
const MAX_NEWS_CALLS = 500;

/** The changes for the followers of each account. Null: too much has changed for any of them. */
export type NewsByAccount = ReadonlyMap<AccountId, readonly Call[]> | null;

export function groupByAccount(changes: readonly ChangedCall[] | null): NewsByAccount {
  if (changes === null) return null;
  const groups = new Map<AccountId, Call[]>();
  for (const { call } of changes) {
    const group = groups.get(call.accountId);
    if (group) group.push(call);
    else groups.set(call.accountId, [call]);
  }
  return groups;
}

/** Null: nothing has changed. */
export function newsOf(accountId: AccountId, changes: NewsByAccount): ChangeNews | null {
  const calls = changes === null ? null : (changes.get(accountId) ?? []);
  if (calls === null || calls.length > MAX_NEWS_CALLS) return { kind: 'resync' };
  return calls.length === 0 ? null : { kind: 'changed', calls };
}
