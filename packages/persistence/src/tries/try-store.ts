import type { ConductedCall, GateToken, LineLimits, ReleaseInput, StoredSettings } from '@outdial/calls';
import type {
  AccountId,
  AgentId,
  LineName,
  Micros,
  ReservationId,
  TryEndReason,
  TryId,
  TryMedium,
  UsageEntry,
} from '@outdial/contracts';

export interface NewTry extends Pick<ConductedCall, 'driver' | 'models' | 'rates'> {
  readonly tryId: TryId;
  readonly medium: TryMedium;
  /** The user who begins it. Null: a program does. */
  readonly userId: string | null;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly holdMicros: Micros;
  readonly reservationId: ReservationId;
}

export type BeginTryOutcome =
  | { readonly kind: 'begun' }
  /** The account has as many open tries as it may. */
  | { readonly kind: 'too_many'; readonly inUse: number; readonly retryAfterSeconds: number }
  /** The account has used its time. */
  | { readonly kind: 'no_time'; readonly inUse: number; readonly retryAfterSeconds: number }
  | { readonly kind: 'insufficient_funds'; readonly availableMicros: Micros };

/** A try as its account sees it. */
export interface TryRecord {
  readonly tryId: TryId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly medium: TryMedium;
  /** The user who began it. */
  readonly userId: string | null;
  readonly isClaimed: boolean;
  readonly endedReason: TryEndReason | null;
  readonly costMicros: Micros;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** A try as the worker that claimed it reads it. */
export interface TryJob extends Pick<ConductedCall, 'models' | 'rates'> {
  readonly tryId: TryId;
  readonly accountId: AccountId;
  readonly medium: TryMedium;
  readonly lease: string;
  /** 1 for its first worker; a later one only ends it. */
  readonly claims: number;
  readonly settings: StoredSettings;
  readonly variables: Readonly<Record<string, string>>;
  readonly holdMicros: Micros;
  readonly reservationId: ReservationId;
  /** From now. */
  readonly remainingMs: number;
  readonly usage: readonly UsageEntry[];
  readonly costMicros: Micros;
}

export type ClaimTryOutcome =
  | { readonly kind: 'claimed'; readonly job: TryJob }
  | { readonly kind: 'leased'; readonly forMs: number }
  /** Unknown, or over. */
  | { readonly kind: 'over' };

/** What a try has used by now; `costMicros` is at most its hold. */
export interface TryUsage {
  readonly usage: readonly UsageEntry[];
  readonly costMicros: Micros;
}

export interface FinishTry extends TryUsage {
  readonly tryId: TryId;
  readonly lease: string;
  readonly reason: TryEndReason;
  /** Under which the gate holds the money. Null: it costs nothing. */
  readonly token: GateToken | null;
}

export type FinishTryOutcome =
  /** `fenced`: it has ended before, or another worker has it. */
  | ({ readonly kind: 'finished' | 'fenced' } & Required<Pick<ReleaseInput, 'balance'>>)
  /** The gate was rebuilt since it held the money. */
  | { readonly kind: 'gate_stale' };

/** Conversations with agents without a telephone. On the side pool: nothing here may delay a call. */
export interface TryStore {
  /** Checks the account's bounds and funds and begins, in one statement. */
  begin(input: NewTry): Promise<BeginTryOutcome>;
  find(input: {
    readonly accountId: AccountId;
    readonly agentId: AgentId;
    readonly tryId: TryId;
  }): Promise<TryRecord | null>;
  claim(input: { readonly tryId: TryId; readonly leaseMs: number }): Promise<ClaimTryOutcome>;
  linesOf(tryId: TryId): Promise<readonly LineLimits[]>;
  /** The lines that the gate has given under the token. */
  writeLines(input: {
    readonly tryId: TryId;
    readonly lease: string;
    readonly lines: readonly LineName[];
    readonly token: GateToken;
  }): Promise<'written' | 'fenced' | 'gate_stale'>;
  renew(
    input: TryUsage & { readonly tryId: TryId; readonly lease: string; readonly leaseMs: number },
  ): Promise<'written' | 'fenced'>;
  /** Writes the end, the charge and the new balance in one statement. Repeating it charges nothing again. */
  finish(input: FinishTry): Promise<FinishTryOutcome>;
  /** Open tries whose worker is lost, or that none has begun for `waitMs`. */
  overdue(input: { readonly waitMs: number; readonly limit: number }): Promise<readonly TryId[]>;
}
