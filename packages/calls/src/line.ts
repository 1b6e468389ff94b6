import { lineNameSchema, type AccountId, type BreakerName, type Component, type LineName } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';

/** What names a line: a credential, or the group that it shares with other keys of the provider's project. */
export interface LineOwner {
  readonly credentialId: string;
  /** Null for the operator's. */
  readonly accountId: AccountId | null;
  readonly group: string | null;
}

/** A group belongs to its owner: an account cannot name a group so that it shares the operator's or another account's. */
export function lineNameOf({ credentialId, accountId, group }: LineOwner, component: Component): LineName {
  const owner = group === null ? credentialId : `${accountId ?? 'operator'}.${group}`;
  const parsed = lineNameSchema.safeParse(`cred:${owner}:${component}`);
  invariant(parsed.success, `no line can be named after the credential or group "${owner}"`);
  return parsed.data;
}

/** The limits of a line. Keys of one group have the same line, so they must be given the same limits. */
export interface LineLimits {
  readonly name: LineName;
  /** How many calls may have it at once. */
  readonly maxCalls: number;
  /** How many calls per second may get it, at least 1. */
  readonly startsPerSecond: number;
  /** The operator's: accounts share it, and none takes more than half of it while another waits for it. */
  readonly isShared: boolean;
  /** The provider rejects its key: no call gets it until the key is rotated, or a check finds it accepted. */
  readonly isClosed: boolean;
  /** Those of its model, for this call: each of them may hold the call back. */
  readonly breakers: readonly BreakerName[];
}
