export type { OptionsOutcome, OptionsRequest } from './agent/ping.ts';
export type { Clock, Timer } from './clock.ts';
export { parseDescription, type DialogDescription } from './dialog/description.ts';
export type { Credentials } from './digest/authorizer.ts';
export type { Resolver, SrvRecord } from './resolve.ts';
export type { LocalAudio, NegotiatedAudio } from './sdp/audio-negotiation.ts';
export type { AudioCodec, Direction } from './sdp/session-description.ts';
export { CallRequestError, type CallRequest } from './session/call-request.ts';
export type { IncomingSession } from './session/incoming-session.ts';
export type { Rejection } from './session/pending-invite.ts';
export type {
  ReofferOutcome,
  Session,
  SessionEnd,
  SessionEvent,
  SessionListener,
  SessionOutcome,
} from './session/session.ts';
export type { SipLog, SipLogEntry } from './transport/sip-log.ts';
export {
  openSocketTransport,
  type SocketTransport,
  type SocketTransportOptions,
} from './transport/socket-transport.ts';
export { createUserAgent, type UserAgent, type UserAgentOptions } from './user-agent.ts';
