export type { OptionsOutcome, OptionsRequest } from './agent/ping.ts';
export type { Clock } from './clock.ts';
export { parseDescription, type DialogDescription } from './dialog/description.ts';
export type { Credentials } from './digest/authorizer.ts';
export type { Resolver, SrvRecord } from './resolve.ts';
export type { LocalAudio, NegotiatedAudio } from './sdp/audio-negotiation.ts';
export type { AudioCodec, Direction } from './sdp/session-description.ts';
export { CallRequestError, type AttemptDecision, type CallRequest } from './session/call-request.ts';
export type { IncomingReferral } from './session/incoming-referral.ts';
export type { IncomingSession } from './session/incoming-session.ts';
export type { Rejection } from './session/pending-invite.ts';
export type { ReferralOutcome, ReferRequest } from './session/referral.ts';
export {
  sessionEnd,
  type ReofferOutcome,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SessionListener,
  type SessionOutcome,
} from './session/session.ts';
export { parseNameAddr, type NameAddr } from './syntax/name-addr.ts';
export { withParam } from './syntax/params.ts';
export { formatSipUri, parseSipUri, type SipUri } from './syntax/uri.ts';
export { systemResolver } from './system-resolver.ts';
export type { SipLog, SipLogEntry } from './transport/sip-log.ts';
export {
  openSocketTransport,
  type SocketTransport,
  type SocketTransportOptions,
} from './transport/socket-transport.ts';
export { createUserAgent, type UserAgent, type UserAgentOptions } from './user-agent.ts';
