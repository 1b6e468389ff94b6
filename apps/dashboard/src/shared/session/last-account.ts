import type { Membership } from '@outdial/contracts';

const KEY = 'outdial-account';

/** The account to begin with: the one that was looked at last, else the oldest. Undefined: the user has none. */
export function chooseAccount(memberships: readonly Membership[]): Membership | undefined {
  const last = readLast();
  return memberships.find((membership) => membership.account_id === last) ?? memberships[0];
}

export function rememberAccount(accountId: string): void {
  try {
    localStorage.setItem(KEY, accountId);
  } catch {
    // Storage may be forbidden; the oldest account does.
  }
}

function readLast(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
