import type { AccountId, AgentId, AgentSettings, ApiKeyId, E164 } from '@outdial/contracts';
import type { RateDeck } from '../rate-deck.ts';

export interface KeyRecord {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  /** As stored. Whoever looked the key up compares it in constant time. */
  readonly digest: Uint8Array;
  readonly scope: 'outbound';
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Overrides the service's own limit for this key. */
  readonly requestsPerSecond: number | null;
}

export interface AccountProfile {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly enabled: boolean;
  /** May call from the system's default number when it has none of its own. */
  readonly mayUseSystemNumber: boolean;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  /** Active and outbound-enabled, the default first, then the oldest first. */
  readonly outboundNumbers: readonly E164[];
  /** Digits after the plus sign that this account may not call. */
  readonly blockedPrefixes: readonly string[];
}

export interface UsableAgent {
  readonly id: AgentId;
  readonly version: number;
  /** Null: what is stored of it cannot be used any more. */
  readonly requiredVariables: readonly string[] | null;
}

/** An agent's settings as they are stored, read by this version of the product. */
export type StoredSettings =
  | { readonly kind: 'usable'; readonly settings: AgentSettings }
  /** `problem` names the line that is wrong. For operators: an agent may be granted to whom its words are not shown. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** Account-level data that every request needs. Readings may be up to one second old, and no older. */
export interface Directory {
  findKey(digest: Buffer): Promise<KeyRecord | null>;
  findAccount(accountId: AccountId): Promise<AccountProfile | null>;
  /** Null unless the agent is the account's own or granted to it: an unknown agent looks the same. */
  findAgent(accountId: AccountId, agentId: AgentId): Promise<UsableAgent | null>;
  systemNumber(): Promise<E164 | null>;
  rateDeck(currency: string): Promise<RateDeck>;
}
