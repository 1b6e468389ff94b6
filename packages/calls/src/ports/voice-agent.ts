import type {
  AgentSettings,
  AnsweredBy,
  CallFailure,
  CallId,
  Component,
  TransferTarget,
  Turn,
  UsageEntry,
  Voice,
} from '@outdial/contracts';
import type { Frame } from './carrier.ts';
import type { OptOut } from './drive-store.ts';
import type { TurnMetrics } from '../turn-metrics.ts';

/** Why an agent ends the call. */
export type AgentHangUp =
  | 'agent_hangup'
  | 'voicemail_reached'
  | 'call_screened'
  | 'silence_timeout'
  | 'opted_out'
  | 'agent_error'
  | ProviderHangUp;

/** A provider of models could not be reached or failed, or it rejected the credential, the model or the settings. */
export type ProviderHangUp = 'provider_unavailable' | 'provider_rejected';

/** What a conversation of models reports besides. Times are relative to the answer. */
export type ModelEvent =
  | { readonly kind: 'usage'; readonly entries: readonly UsageEntry[] }
  /** A tool has run, or was refused. Without secrets and headers. */
  | {
      readonly kind: 'tool_called';
      readonly name: string;
      readonly arguments: Readonly<Record<string, unknown>>;
      /** For the customer: cut, and null for a tool that acts on the call itself. */
      readonly result: string | null;
      readonly outcome: 'ok' | 'failed' | 'refused';
      readonly durationMs: number;
    }
  | { readonly kind: 'provider_failed'; readonly component: Component; readonly failure: string }
  | { readonly kind: 'provider_recovered'; readonly component: Component; readonly afterMs: number }
  | ({ readonly kind: 'turn_metrics' } & TurnMetrics);

/** The agent wants the callee transferred. `transferFailed` follows, or the end of the call. */
export interface TransferWish {
  /** A name of the agent's settings. */
  readonly destination: string;
  readonly target: TransferTarget;
  /**
   * Warm: we call the destination on a second leg while the callee waits, `introduce` follows once it has answered, and the agent
   * reports `introduced`. Absent: the far end is asked to transfer the callee.
   */
  readonly warm?: WarmTransfer;
}

export interface WarmTransfer {
  readonly ringTimeoutSeconds: number;
}

/** Why a transfer did not take place. */
export interface TransferFailure {
  readonly reason:
    | 'refused'
    | 'failed'
    | 'unreported'
    | 'not_permitted'
    /** No rate, or blocked for the account. */
    | 'destination_not_allowed'
    /** On a do-not-call list. */
    | 'suppressed'
    /** The call has no transfer left. */
    | 'too_many'
    /** Whether the destination may be called is not known now. */
    | 'unavailable'
    /** Of a warm transfer: the account cannot pay for the second leg. */
    | 'no_funds'
    /** Of a warm transfer: the account, the system or every trunk has as many calls as it may. */
    | 'no_capacity'
    /** Of a warm transfer: the destination answered, and hung up before it was connected. */
    | 'hung_up';
  readonly sipCode: number | null;
}

export type VoiceAgentEvent =
  | ModelEvent
  | { readonly kind: 'answered_by'; readonly answeredBy: AnsweredBy }
  /** A turn of either side is over. */
  | { readonly kind: 'turn'; readonly turn: Turn }
  /** The callee interrupted the agent: its queued speech is dropped. */
  | { readonly kind: 'interrupted'; readonly atMs: number }
  | { readonly kind: 'send_digits'; readonly digits: string }
  | ({ readonly kind: 'transfer' } & TransferWish)
  /** The person who answered a warm transfer has heard the introduction: the agent leaves. */
  | { readonly kind: 'introduced' }
  /** The callee wants no more calls. The agent confirms it and hangs up. */
  | ({ readonly kind: 'opt_out' } & OptOut)
  /** `failure`: the cause of an `agent_error`. */
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp; readonly failure?: CallFailure };

export interface VoiceAgentResult {
  readonly transcript: readonly Turn[];
  readonly answeredBy: AnsweredBy;
  /** States only known facts; null without any. */
  readonly summary: string | null;
}

/**
 * One conversation. The media clock pushes the received audio and pulls the audio to send, a frame at a time. The agent
 * counts time in frames, so that the milliseconds that it reports match the played audio. `hear` is called once for
 * every 20 ms from the answer on, `speak` at most once after each: an agent that was not ready at the answer first hears
 * what it missed.
 */
export interface VoiceAgent {
  listen(listener: (event: VoiceAgentEvent) => void): void;
  /** One frame of the callee's audio, silence included. It is valid only during the call. */
  hear(frame: Frame): void;
  hearDigits(digits: string): void;
  /**
   * The callee has put the call on hold, or has resumed it. Time and frames continue, but the callee is absent: received
   * audio is not the callee's, speech would be lost, and silence does not count as the callee's.
   */
  setOnHold(isOnHold: boolean): void;
  /** The transfer that the agent asked for did not take place: the conversation goes on. Needed by an agent that asks. */
  transferFailed?(failure: TransferFailure): void;
  /** The destination of a warm transfer has answered, and hears the agent from now on; the callee does not. */
  introduce?(): void;
  /**
   * What the supervisor asks of the model that conducts the call, from its next answer on. It becomes a turn of the supervisor. False: it
   * has no answer left to give. An agent without a model has no such method.
   */
  instruct?(text: string): boolean;
  /** The next frame to play, valid until the next one; undefined for silence. */
  speak(): Frame | undefined;
  /**
   * Ends the conversation, closes the current turn, and returns the results, within 1.5 s: a provider may still report
   * words and usage. Idempotent.
   */
  finish(): VoiceAgentResult | Promise<VoiceAgentResult>;
}

export interface VoiceAgentFactory<Settings extends AgentSettings = AgentSettings> {
  /**
   * Prepares an agent before the callee answers, so that its first words are ready. Rejects with an `AgentError` if the
   * cause may be shown to the customer.
   */
  prepare(input: {
    readonly callId: CallId;
    readonly settings: Settings;
    readonly variables: Readonly<Record<string, string>>;
  }): Promise<VoiceAgent>;
}

/** Text to speech, 8 kHz mono, without leading silence. */
export interface SpeechSynthesizer {
  synthesize(input: { readonly text: string; readonly voice: Voice }): Promise<Int16Array>;
}

/** An agent failed for a reason that the customer may see. The message is for the log. */
export class AgentError extends Error {
  override readonly name = 'AgentError';
  readonly failure: CallFailure;

  constructor(failure: CallFailure, options: ErrorOptions) {
    super(`the agent failed: ${failure.code}${failure.field === null ? '' : ` at ${failure.field}`}`, options);
    this.failure = failure;
  }
}

/** The customer's view of an agent's error. */
export function callFailureOf(error: unknown): CallFailure {
  return error instanceof AgentError ? error.failure : { code: 'agent_failed', field: null };
}
