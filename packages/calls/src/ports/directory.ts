import type {
  AccountId,
  AgentId,
  AgentSettings,
  ApiKeyId,
  Driver,
  E164,
  KeyScope,
  ModelNeed,
} from '@outdial/contracts';
import type { PoliciesInForce } from '@outdial/policies';
import type { ModelRateDeck } from '../model-rate-deck.ts';
import type { RateDeck } from '../rate-deck.ts';

export interface KeyRecord {
  readonly id: ApiKeyId;
  readonly accountId: AccountId;
  /** The stored digest. The caller of the look-up compares it in constant time. */
  readonly digest: Uint8Array;
  readonly scopes: readonly KeyScope[];
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  /** Overrides the service's rate limit for this key. */
  readonly requestsPerSecond: number | null;
}

export interface AccountProfile {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly enabled: boolean;
  /** May call from the system's default number when it has no number. */
  readonly mayUseSystemNumber: boolean;
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
  /** Active and outbound-enabled, the default first, then the oldest first. */
  readonly outboundNumbers: readonly E164[];
  /** Prefixes (digits after the plus sign) that this account may not call. */
  readonly blockedPrefixes: readonly string[];
  /** The same objects for as long as they are in force: what was computed of them is kept by them. */
  readonly policies: PoliciesInForce;
}

/** What acceptance needs to know of an agent that models conduct. */
export interface ConductedAgent {
  readonly driver: Exclude<Driver, 'scripted'>;
  readonly needs: readonly ModelNeed[];
  /** The longest talk that its settings allow; null: they name none. */
  readonly maxDurationSeconds: number | null;
}

export interface UsableAgent {
  readonly id: AgentId;
  readonly version: number;
  /** Null: the stored settings are not valid any more. */
  readonly requiredVariables: readonly string[] | null;
  /** Null for a scripted agent. */
  readonly conducted: ConductedAgent | null;
}

/** An agent's stored settings, as this version of the product reads them. */
export type StoredSettings =
  | { readonly kind: 'usable'; readonly settings: AgentSettings }
  /** `problem` names the invalid line. For operators only: an account with access to an agent may not see its texts. */
  | { readonly kind: 'unusable'; readonly problem: string };

/** Account data that every request needs. Results may be up to one second old. */
export interface Directory {
  findKey(digest: Buffer): Promise<KeyRecord | null>;
  findAccount(accountId: AccountId): Promise<AccountProfile | null>;
  /** Null unless the account owns the agent or has access to it: an unknown agent looks the same. */
  findAgent(accountId: AccountId, agentId: AgentId): Promise<UsableAgent | null>;
  /** The same of one version of the agent. */
  findAgentVersion(accountId: AccountId, agentId: AgentId, version: number): Promise<UsableAgent | null>;
  systemNumber(): Promise<E164 | null>;
  rateDeck(currency: string): Promise<RateDeck>;
  modelRateDeck(currency: string): Promise<ModelRateDeck>;
}
