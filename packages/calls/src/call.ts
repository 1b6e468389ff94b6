import type {
  AccountId,
  AgentId,
  AnalysisStatus,
  AnsweredBy,
  CallFailure,
  CallId,
  CallStatus,
  CampaignId,
  E164,
  EndedReason,
  Micros,
  RecordingStatus,
  Turn,
  UsageEntry,
  WaitingFor,
} from '@outdial/contracts';
import type { ConductedCall } from './conducted-call.ts';
import type { TurnMetrics } from './turn-metrics.ts';
import type { LegId, LegResult } from './leg.ts';
import type { Rate } from './rate-deck.ts';

export interface CallLimits {
  readonly maxDurationSeconds: number;
  readonly ringTimeoutSeconds: number;
}

/** The facts of a call from its acceptance on. They never change, except for the review note and the hold. */
export interface CallFacts {
  readonly id: CallId;
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly agentVersion: number;
  readonly callerNumber: E164;
  readonly calleeNumber: E164;
  readonly currency: string;
  /** The rate at the time of acceptance: a new deck never changes the price of an accepted call. */
  readonly rate: Rate;
  readonly holdMicros: Micros;
  readonly limits: CallLimits;
  /** Models, credentials and prices at the time of acceptance; null for a call of a scripted agent. */
  readonly conducted: ConductedCall | null;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly reviewNote: string | null;
  /** Where the events of this call are sent, besides the account's endpoints. */
  readonly webhookUrl: string | null;
  readonly createdAtMs: number;
}

/** Which ends of a call are followed by another try, how many calls that makes at most, and after which times. */
export interface RetryPlan {
  /** The first call included. */
  readonly maxAttempts: number;
  readonly on: readonly EndedReason[];
  /** From the end of a call to the next one; the last one repeats. */
  readonly afterSeconds: readonly number[];
}

/** When a call is to be dialed, and its place among the attempts of its request. */
export interface CallSchedule {
  /** Null: it was to be dialed at once. */
  readonly scheduledForMs: number | null;
  readonly giveUpAtMs: number;
  readonly retry: RetryPlan | null;
  readonly attempt: number;
  readonly retryOf: CallId | null;
  /** The call that retries this one; null until this one has ended. */
  readonly nextCallId: CallId | null;
  /** Null: it is a single call. */
  readonly campaignId: CampaignId | null;
}

/** Details of the final response that rejected a call. Texts are the carrier's, cut to a maximum length. */
export interface SipDetails {
  readonly code: number;
  readonly reasonPhrase: string | null;
  readonly warning: string | null;
  /** ITU-T Q.850 cause and its text, if the carrier sent one (RFC 3326). */
  readonly q850Cause: number | null;
  readonly q850Text: string | null;
}

/** What an analysis used. */
export interface AnalysisUsage extends UsageEntry {
  /** On the account's own credential: it costs nothing here. */
  readonly isOwn: boolean;
}

/** What the analysis of an ended call found. */
export interface CallAnalysis {
  readonly summary: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly success: { readonly value: boolean | number; readonly reason: string } | null;
  /** An answer that could not be used. */
  readonly text: string | null;
  readonly model: string;
  readonly completedAtMs: number;
  readonly usage: readonly AnalysisUsage[];
  readonly costMicros: Micros;
}

/** A second leg of a call, as far as it is known. */
export interface CallLeg {
  readonly legId: LegId;
  /** Its name in the agent's settings. */
  readonly destination: string;
  readonly calleeNumber: E164;
  readonly rate: Rate;
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  /** Since when the callee and the destination heard each other. */
  readonly connectedAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Null while it is up. */
  readonly result: LegResult | null;
  readonly sipCode: number | null;
  readonly billableSeconds: number;
  /** A part of the call's cost. 0 until the call has ended. */
  readonly costMicros: Micros;
}

interface State<Status extends CallStatus> extends CallFacts {
  readonly status: Status;
  /** What its models have used, as far as it is stored: each lease renewal stores it, and the settlement. */
  readonly usage: readonly UsageEntry[];
  /** Null for a call that was to be dialed at once, without retries. */
  readonly schedule: CallSchedule | null;
  /** The legs of its warm transfers, in order; absent without any. */
  readonly legs?: readonly CallLeg[];
}

/** It holds no slot, no money and no job. Its rate and its models are those of the moment at which it is admitted. */
export interface ScheduledCall extends State<'scheduled'> {
  readonly schedule: CallSchedule;
  /** Null: nothing holds it up. */
  readonly waitingFor: WaitingFor | null;
}

export interface QueuedCall extends State<'queued'> {
  readonly expiresAtMs: number;
}

export interface DialingCall extends State<'dialing'> {
  readonly startedAtMs: number;
}

export interface RingingCall extends State<'ringing'> {
  readonly startedAtMs: number;
}

export interface InProgressCall extends State<'in_progress'> {
  readonly startedAtMs: number;
  readonly answeredAtMs: number;
  readonly answeredBy: AnsweredBy | null;
  readonly sipCode: number | null;
}

export interface EndedCall extends State<'ended'> {
  readonly startedAtMs: number;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number;
  readonly endedReason: EndedReason;
  /** For a call that ended `agent_error`. Null for any other, and if it is not known. */
  readonly failure: CallFailure | null;
  readonly answeredBy: AnsweredBy | null;
  readonly sipCode: number | null;
  /** Null if the carrier did not reject the call, or sent no more than a code. */
  readonly sip: SipDetails | null;
  readonly billableSeconds: number;
  readonly costMicros: Micros;
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly recordingStatus: RecordingStatus;
  readonly analysisStatus: AnalysisStatus;
  /** The delays of the agent's turns. Empty for a scripted agent, in summaries, and if its worker was lost. */
  readonly turnMetrics: readonly TurnMetrics[];
  /** Null until it is completed, and in lists. */
  readonly analysis: CallAnalysis | null;
}

/** A call is in exactly one state, and carries what is known in that state. */
export type Call = ScheduledCall | QueuedCall | DialingCall | RingingCall | InProgressCall | EndedCall;

/** Identifies an owner of a call: every write of its driver carries the epoch, and is rejected once it is outdated. */
export type Epoch = number;
