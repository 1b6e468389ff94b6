import type { AccountLimits, GateSnapshot } from '@outdial/calls';
import { micros, type AccountId, type Micros } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** An account as a publish adds it: its limits, and the sums over its holds. */
export interface StagedAccount {
  readonly limits: AccountLimits;
  readonly heldMicros: Micros;
  readonly openCalls: number;
}

/**
 * Sums up the snapshot's holds by account.
 *
 * @throws InvariantError if the snapshot is inconsistent: a duplicate call or account, or a hold of an unknown account.
 */
export function stagedAccounts(snapshot: GateSnapshot): readonly StagedAccount[] {
  const sums = new Map<AccountId, { held: bigint; openCalls: number }>();
  for (const { accountId } of snapshot.accounts) {
    invariant(!sums.has(accountId), `account ${accountId} is in the snapshot twice`);
    sums.set(accountId, { held: 0n, openCalls: 0 });
  }
  const callIds = new Set<string>();
  for (const hold of snapshot.holds) {
    invariant(!callIds.has(hold.callId), `call ${hold.callId} is in the snapshot twice`);
    callIds.add(hold.callId);
    const sum = sums.get(hold.accountId);
    invariant(sum, `call ${hold.callId} is in the snapshot without its account ${hold.accountId}`);
    sum.held += hold.holdMicros;
    sum.openCalls += 1;
  }
  return snapshot.accounts.map((limits) => {
    const sum = sums.get(limits.accountId);
    return { limits, heldMicros: micros(sum?.held ?? 0n), openCalls: sum?.openCalls ?? 0 };
  });
}
