import type {
  AccountId,
  AgentId,
  CallingWeek,
  CampaignColumns,
  CampaignHold,
  CampaignId,
  CampaignState,
  E164,
  EndedReason,
} from '@outdial/contracts';

/** As it is stored: the names are those of the interface. */
export interface CampaignRetry {
  readonly max_attempts: number;
  readonly on: readonly EndedReason[];
  readonly after_seconds: readonly number[];
}

/** As it is stored, too. */
export interface CampaignHours {
  readonly time_zone: string;
  readonly days: CallingWeek;
}

/** What its owner chooses. Times are in milliseconds since 1970, money in micros of the account's currency. */
export interface CampaignSettings {
  readonly name: string;
  readonly agentId: AgentId;
  /** Null until it starts, unless it was given. */
  readonly callerNumber: E164 | null;
  readonly columns: CampaignColumns;
  readonly defaultCountry: string | null;
  readonly retry: CampaignRetry | null;
  readonly callsPerSecond: number | null;
  readonly maxConcurrent: number | null;
  readonly weight: number;
  readonly window: CampaignHours | null;
  readonly startsAtMs: number | null;
  readonly endsAtMs: number | null;
  readonly budgetMicros: bigint | null;
  readonly maxDurationSeconds: number | null;
  readonly ringTimeoutSeconds: number | null;
  readonly webhookUrl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** As of one moment. */
export interface CampaignCounts {
  readonly contacts: number;
  /** Contacts up to the cursor: each has a call. */
  readonly passed: number;
  readonly open: number;
  readonly byReason: readonly ReasonCount[];
  /** Of the minute before the last measure. Null: it is not measured. */
  readonly callsLastMinute: number | null;
  /** On average of ten minutes. Null until there are two measures. */
  readonly callsPerMinute: number | null;
  readonly heldBy: CampaignHold | null;
}

export interface ReasonCount {
  readonly reason: EndedReason;
  /** No retry followed. */
  readonly isFinal: boolean;
  readonly calls: number;
  readonly answered: number;
  readonly costMicros: number;
}

export interface CampaignRecord extends CampaignSettings, CampaignCounts {
  readonly id: CampaignId;
  readonly accountId: AccountId;
  readonly state: CampaignState;
  readonly agentVersion: number | null;
  readonly createdBy: string;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly endedAtMs: number | null;
}
