import type { AccountId, CallId, CampaignId, CampaignState, EndedReason } from '@outdial/contracts';

/** How a scheduled call of a campaign that is over ends. */
export type OverReason = Extract<EndedReason, 'cancelled' | 'schedule_expired'>;

export interface MovedCampaign {
  readonly campaignId: CampaignId;
  readonly accountId: AccountId;
  /** Its new state. */
  readonly state: CampaignState;
}

/** What becomes of campaigns without a request. Any number of processes may sweep at once. */
export interface CampaignSweepStore {
  /**
   * Moves campaigns on, at most `limit`: those whose time has come, those that are over, those that are cancelled and have
   * nothing scheduled any more, and those whose budget is used up.
   */
  move(input: { readonly limit: number }): Promise<readonly MovedCampaign[]>;
  /** Ends scheduled calls of campaigns that are over, at most `limit`. Returns why, for each. */
  endOver(input: { readonly limit: number }): Promise<readonly OverReason[]>;
  /**
   * Open calls, at most `limit`, that were to end with the cancellation of their campaign and were not asked to: the process that
   * cancelled it may have crashed.
   */
  toHangUp(input: {
    readonly limit: number;
  }): Promise<readonly { readonly accountId: AccountId; readonly callId: CallId }[]>;
  /** Gives up uploads that have come to a standstill. Returns how many. */
  giveUpUploads(): Promise<number>;
  /** Removes contacts of failed uploads, a bounded number. Returns whether there may be more. */
  removeFailedContacts(): Promise<boolean>;
  /** Removes what deleted campaigns have left, a bounded number of rows. Returns whether there may be more. */
  removeDeleted(): Promise<boolean>;
  /** Removes problems of old uploads, a bounded number. Returns whether there may be more. */
  removeOldErrors(): Promise<boolean>;
  /** Measures how many calls of running campaigns end in a minute. Returns how many were measured. */
  measure(input: { readonly limit: number }): Promise<number>;
}
