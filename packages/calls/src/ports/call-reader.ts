import type {
  AccountId,
  AgentId,
  CallEventType,
  CallId,
  CallSearch,
  CallStatus,
  CampaignId,
  E164,
  EndedReason,
  Micros,
} from '@outdial/contracts';
import type { AccountUse } from './gate.ts';
import type { Call } from '../call.ts';

/** The start of a page: the last call of the previous page. */
export interface CallCursor {
  readonly createdAtMs: number;
  readonly callId: CallId;
}

export interface CallFilter {
  readonly status?: CallStatus;
  readonly agentId?: AgentId;
  readonly campaignId?: CampaignId;
  readonly calleeNumber?: E164;
  readonly endedReason?: EndedReason;
  readonly search?: CallSearch;
  readonly createdAfterMs?: number;
  readonly createdBeforeMs?: number;
}

export interface CallEvent {
  readonly id: string;
  readonly atMs: number;
  readonly type: CallEventType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface AccountOverview extends AccountUse {
  readonly id: AccountId;
  readonly name: string;
  readonly currency: string;
  readonly balanceMicros: Micros;
  readonly capacity: number;
}

export interface CallPage {
  readonly calls: readonly Call[];
  readonly hasMore: boolean;
  /** Approximate size of the calls as JSON. */
  readonly bytes: number;
}

/** Every read is for one account: another account's call looks like one that does not exist. */
export interface CallReader {
  find(accountId: AccountId, callId: CallId): Promise<Call | null>;
  /** Newest first. */
  list(input: {
    readonly accountId: AccountId;
    readonly filter: CallFilter;
    readonly after: CallCursor | null;
    readonly limit: number;
  }): Promise<readonly Call[]>;
  /** Newest first: as many calls as requested that fit into `maxBytes`, but at least one. */
  page(input: {
    readonly accountId: AccountId;
    readonly filter: CallFilter;
    readonly after: CallCursor | null;
    readonly limit: number;
    /** Approximate size of the calls as JSON. */
    readonly maxBytes: number;
    /** `summary`: without transcripts, and with empty variables and metadata. */
    readonly detail: 'whole' | 'summary';
  }): Promise<CallPage>;
  events(accountId: AccountId, callId: CallId): Promise<readonly CallEvent[] | null>;
  saveReviewNote(accountId: AccountId, callId: CallId, note: string | null): Promise<Call | null>;
  recordingKey(accountId: AccountId, callId: CallId): Promise<string | null>;
  /**
   * @param use what the gate says that the account holds; null: Postgres sums up the open calls and tries, which takes as long as
   *   there are many
   */
  overview(accountId: AccountId, use: AccountUse | null): Promise<AccountOverview | null>;
}

/** All calls that match the filter, newest first, without transcripts. Reads the next page only when it is requested. */
export type ExportCalls = (input: {
  readonly accountId: AccountId;
  readonly filter: CallFilter;
}) => AsyncIterable<CallPage>;
