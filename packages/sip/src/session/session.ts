import type { DialogDescription } from '../dialog/description.ts';
import type { NegotiatedAudio } from '../sdp/audio-negotiation.ts';
import type { Direction } from '../sdp/session-description.ts';
import type { ReferralOutcome, ReferRequest } from './referral.ts';

/** Text from a final response that rejected a call: truncated, without control characters. */
export interface RefusalText {
  readonly reasonPhrase: string | null;
  /** The first Warning header field (RFC 3261 section 20.43). */
  readonly warning: string | null;
  /** The text of the Q.850 Reason header field (RFC 3326). */
  readonly q850Text: string | null;
}

/** How a session ended: a closed list. */
export type SessionOutcome =
  /** Answered and hung up; `by` names the side. */
  | 'completed'
  /** A final response of 4xx, 5xx or 6xx. */
  | 'refused'
  /** 3xx. Never followed: the price of the new target was not agreed on. */
  | 'redirected'
  /** 401 or 407 without credentials that the far end accepts: they are missing or wrong. */
  | 'unauthorized'
  /** The ring timeout passed. */
  | 'no_answer'
  /** Ended before the answer: by us, or by the caller of an incoming session. */
  | 'cancelled'
  /** `mayDial` returned false: nothing was sent. */
  | 'not_dialled'
  /** No byte could be sent: no address, or no connection. */
  | 'unsent'
  /** The INVITE was sent and no response came. The far end may have received it: do not dial it again. */
  | 'silent'
  /** Answered with a session description that we cannot use. */
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
  /** For a call that a final response rejected. */
  readonly refusal?: RefusalText;
  /** For people: what happened at the protocol level. */
  readonly detail: string;
}

export type SessionEvent =
  /** The description is new or has changed. The first one comes in the tick in which the INVITE is sent, before it. */
  | { readonly kind: 'dialog'; readonly description: DialogDescription }
  /** A provisional response above 100. `audio` is early media, which is never an answer. */
  | { readonly kind: 'provisional'; readonly sipCode: number; readonly audio: NegotiatedAudio | null }
  | { readonly kind: 'answered'; readonly audio: NegotiatedAudio }
  /** The far end moved, changed the codec, put the call on hold, or resumed it. */
  | { readonly kind: 'media'; readonly audio: NegotiatedAudio }
  /** Digits received by INFO. */
  | { readonly kind: 'digits'; readonly digits: string }
  /** How a REFER that `refer` sent went, with its target: a late report is for an earlier one. */
  | { readonly kind: 'referral'; readonly outcome: ReferralOutcome; readonly target: string }
  /** The last event, exactly once. */
  | { readonly kind: 'ended'; readonly end: SessionEnd };

export type SessionListener = (event: SessionEvent) => void;

/** `glare`: both sides sent an offer at once, and again after each pause. */
export type ReofferOutcome = 'accepted' | 'refused' | 'glare' | 'gone';

/** What sessions of both directions have in common. */
export interface Session {
  readonly callId: string;
  /** Call this in the tick in which the session was created: events start in a later one. */
  listen(listener: SessionListener): void;
  /**
   * Sends CANCEL, BYE or a rejection, whichever applies. `ended` follows once the far end is known to be gone.
   * Idempotent.
   */
  hangUp(): void;
  /**
   * Asks the far end to call another address instead of us, by REFER; the event `referral` follows unless the call ends
   * first. The call stays up: hang it up once it was transferred. False: the call is not up, or a REFER is pending.
   */
  refer(request: ReferRequest): boolean;
  /** Offers a new direction after the answer: `sendonly` puts the far end on hold, `sendrecv` resumes. */
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
