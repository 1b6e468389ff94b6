import type { AnsweredBy, CallFailure, Micros } from '@outdial/contracts';
import type { LegEnd } from '../ports/carrier.ts';
import type { OptOut } from '../ports/drive-store.ts';
import type { ConversationResult } from '../ports/conversation.ts';
import type { TurnMetrics } from '../turn-metrics.ts';
import type { SecondLegReport } from './leg-settlement.ts';
import type { UsageReport } from '../usage-cost.ts';
import type { HangUpCause } from './end-reason.ts';

export interface HangUp {
  readonly cause: HangUpCause;
  /** When it was sent; for a limit, when the limit was reached, however late its timer was. Billing stops here. */
  readonly atMs: number;
  /** Set for `agent_error`. */
  readonly failure?: CallFailure | null;
  /** The call was refused because its campaign is held up: the contact is called again. */
  readonly givesBack?: boolean;
}

/** The outcome of a leg. Moments are of the monotonic clock. */
export interface LegReport {
  readonly end: LegEnd;
  /** Something may have been sent to the carrier. */
  readonly dialled: boolean;
  readonly endedAtMs: number;
  /** Null also if the answer crossed our hang-up. */
  readonly answeredAtMs: number | null;
  readonly answeredBy: AnsweredBy | null;
  readonly hangUp: HangUp | null;
  readonly optOut: OptOut | null;
  readonly conversation: ConversationResult | null;
  /** What models used until now: what is reported later is dropped. Null without any. */
  readonly usage: UsageReport | null;
  /** Of the agent's turns, in order. Empty for a scripted agent. */
  readonly turnMetrics: readonly TurnMetrics[];
  /** The amount that both stores hold for the call. */
  readonly holdMicros: Micros;
  /** Its second legs, in order. */
  readonly legs: readonly SecondLegReport[];
}

/** The end of a leg for which nothing was sent. */
export const NOT_DIALED: LegEnd = {
  outcome: 'not_dialled',
  by: 'us',
  sipCode: null,
  q850Cause: null,
  retryAfterSeconds: null,
};
