import type { Membership } from '@outdial/contracts';

const KEY = 'outdial-account';

/** The account to open first: the last one that the user opened, else the oldest. Undefined: the user has none. */
export function chooseAccount(memberships: readonly Membership[]): Membership | undefined {
  const last = readLast();
  return memberships.find((membership) => membership.account_id === last) ?? memberships[0];
}

export function rememberAccount(accountId: string): void {
  try {
    localStorage.setItem(KEY, accountId);
  } catch {
    // Storage may be blocked; the dashboard then opens the oldest account.
  }
}

function readLast(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
