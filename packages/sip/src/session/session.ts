import type { DialogDescription } from '../dialog/description.ts';
import type { NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { Direction } from '../sdp/session-description.ts';

/** What a final response that refused a call said beside its code: cut to a length, without control characters. */
export interface RefusalText {
  readonly reasonPhrase: string | null;
  /** The first Warning header field (RFC 3261 section 20.43). */
  readonly warning: string | null;
  /** Of the Q.850 Reason header field (RFC 3326). */
  readonly q850Text: string | null;
}

/** How a session ended, in closed words. */
export type SessionOutcome =
  /** It was answered, and somebody hung up: `by` says who. */
  | 'completed'
  /** A final response of 4xx, 5xx or 6xx. */
  | 'refused'
  /** 3xx. It is never followed: nobody agreed on the price of the new target. */
  | 'redirected'
  /** 401 or 407 without an answer that the far end takes: the credentials are missing or wrong. */
  | 'unauthorized'
  /** It rang for as long as it was allowed to. */
  | 'no_answer'
  /** Given up before the answer: by us, or by the caller of an incoming session. */
  | 'cancelled'
  /** `mayDial` said no: nothing was sent. */
  | 'not_dialled'
  /** Not one byte could be sent: no address, no connection. */
  | 'unsent'
  /** The INVITE was sent and nothing came back. The far end may have heard it: it is not to be dialled again. */
  | 'silent'
  /** Answered, with a description of the media that we cannot talk by. */
  | 'no_media'
  /** Answered, and then the far end was gone: no ACK, no refresh, or it no longer knew the call. */
  | 'lost';

export interface SessionEnd {
  readonly outcome: SessionOutcome;
  readonly by: 'local' | 'remote' | 'network';
  /** The last final response to the INVITE. */
  readonly sipCode: number | null;
  /** ITU-T Q.850, from a Reason header field (RFC 3326). */
  readonly q850Cause: number | null;
  readonly retryAfterSeconds: number | null;
  /** Of a call that a final response refused. */
  readonly refusal?: RefusalText;
  /** For people: what happened on the wire. */
  readonly detail: string;
}

export type SessionEvent =
  /** The description is new or has changed. The first one comes in the tick in which the INVITE is sent, before it. */
  | { readonly kind: 'dialog'; readonly description: DialogDescription }
  /** A provisional response above 100. `audio` is early media, which is never an answer. */
  | { readonly kind: 'provisional'; readonly sipCode: number; readonly audio: NegotiatedAudio | null }
  | { readonly kind: 'answered'; readonly audio: NegotiatedAudio }
  /** The far end moved, changed the codec, put the call on hold, or took it back. */
  | { readonly kind: 'media'; readonly audio: NegotiatedAudio }
  /** Digits sent by INFO. */
  | { readonly kind: 'digits'; readonly digits: string }
  /** The last event, exactly once. */
  | { readonly kind: 'ended'; readonly end: SessionEnd };

export type SessionListener = (event: SessionEvent) => void;

/** `glare`: both sides offered at once, and so again after each pause. */
export type ReofferOutcome = 'accepted' | 'refused' | 'glare' | 'gone';

/** What sessions of both directions have in common. */
export interface Session {
  readonly callId: string;
  /** To be called in the tick in which the session came: events begin in a later one. */
  listen(listener: SessionListener): void;
  /** CANCEL, BYE or a refusal, whatever fits. `ended` follows once the far end is known to be gone. Idempotent. */
  hangUp(): void;
  /** Offers a new direction after the answer: `sendonly` puts the far end on hold, `sendrecv` takes it back. */
  reoffer(direction: Direction): Promise<ReofferOutcome>;
}

export function sessionEnd(
  outcome: SessionOutcome,
  by: SessionEnd['by'],
  detail: string,
  facts: Partial<Pick<SessionEnd, 'sipCode' | 'q850Cause' | 'retryAfterSeconds' | 'refusal'>> = {},
): SessionEnd {
  return { outcome, by, sipCode: null, q850Cause: null, retryAfterSeconds: null, ...facts, detail };
}
