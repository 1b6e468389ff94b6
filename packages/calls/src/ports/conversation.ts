import type { AgentSettings, AnsweredBy, CallFailure, CallId, Turn } from '@outdial/contracts';
import type { PinnedModel } from '../conducted-call.ts';
import type { Leg } from './carrier.ts';
import type { ClaimedCall, OptOut } from './drive-store.ts';
import type { LegId } from '../leg.ts';
import type { AgentHangUp, ModelEvent, TransferFailure, TransferWish } from './voice-agent.ts';

export interface ConversationResult {
  readonly transcript: readonly Turn[] | null;
  readonly summary: string | null;
  readonly answeredBy: AnsweredBy | null;
  /** The key of the recording in the RecordingStore; null if there is none. */
  readonly recordingKey: string | null;
}

export type ConversationEvent =
  | ModelEvent
  /** A turn of either side is over. Words that come late replace a turn without them. */
  | { readonly kind: 'turn'; readonly turn: Turn }
  | { readonly kind: 'answered_by'; readonly answeredBy: AnsweredBy }
  | ({ readonly kind: 'opt_out' } & OptOut)
  | ({ readonly kind: 'transfer' } & TransferWish)
  /** The callee and the destination of a warm transfer hear each other from now on. The agent has left. */
  | { readonly kind: 'introduced' }
  /** `failure`: the cause of an `agent_error`. */
  | { readonly kind: 'hang_up'; readonly reason: AgentHangUp; readonly failure?: CallFailure };

/** Whose call it is, and the models that conduct it. */
export type ConductedBy = Pick<ClaimedCall, 'accountId' | 'agentId' | 'agentVersion' | 'reservationId' | 'epoch'> & {
  readonly models: readonly PinnedModel[];
};

/** Some frames of both sides, in order. */
export interface CallSound {
  /** How many frames of the call came before, from the answer on. */
  readonly firstFrame: number;
  /** 16-bit linear at 8 kHz, interleaved: the callee's sample, then the agent's. */
  readonly samples: Int16Array<ArrayBuffer>;
}

/** The audio of a second leg: known by the leg's id where another thread has it. */
export interface SecondMedia {
  readonly legId: LegId;
  readonly leg: Pick<Leg, 'media'>;
}

/** Whether the model of a conversation took an instruction. `not_talking`: it has no answer left to give, or is not there yet. */
export type InstructOutcome = 'taken' | 'not_talking';

/** Connects a leg, an agent and a recording, driven by the media clock. */
export interface Conversation {
  listen(listener: (event: ConversationEvent) => void): void;
  /** The callee answered: from now on both sides are heard and recorded. */
  answered(): void;
  /** The callee has put the call on hold, or has resumed it. Audio received on hold is recorded too. */
  setOnHold(isOnHold: boolean): void;
  /** The transfer that the agent asked for did not take place. */
  transferFailed(failure: TransferFailure): void;
  /**
   * Reports the sound of both sides from now on, for at most this long; 0 ends it. What is not read in time is dropped,
   * and nothing of it reaches the call. A conversation without sound has none to report.
   */
  monitor?(forMs: number, listener: (sound: CallSound) => void): void;
  /**
   * Instructs the model that conducts the call, and reports it as a turn of the supervisor. A conversation without a model has no such
   * method. Never rejects.
   */
  instruct?(text: string): Promise<InstructOutcome>;
  /** The destination of a warm transfer has answered on this leg: the agent introduces the callee to it. */
  introduce(second: SecondMedia): void;
  /** Stops the clock for this call, closes the recording and returns the results. Idempotent; never rejects. */
  finish(): Promise<ConversationResult>;
}

export interface Conversations {
  /** Prepares agent and recording while the far end rings, so that the answer is not delayed. */
  open(input: {
    readonly callId: CallId;
    /** For a call that models conduct: its models, and whose call it is. */
    readonly conducted?: ConductedBy | null;
    readonly leg: Leg;
    readonly settings: AgentSettings;
    readonly variables: Readonly<Record<string, string>>;
  }): Conversation;
}
