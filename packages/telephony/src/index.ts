export { createConversations, type ConversationsOptions } from './media/conversations.ts';
export {
  createMediaClock,
  type MediaClock,
  type MediaClockOptions,
  type TickSubscription,
} from './media/media-clock.ts';
export { addLateness, latenessAt, type LatenessCounts } from './media-thread/lateness.ts';
export {
  createMediaClient,
  type MediaClient,
  type MediaClientOptions,
  type OpenSession,
} from './media-thread/media-client.ts';
export type { MediaSession } from './media-thread/client-session.ts';
export { createMediaHost, type MediaHost, type MediaHostOptions } from './media-thread/media-host.ts';
export { rehearse, type RehearsalOptions } from './media-thread/rehearsal/rehearse.ts';
export type { SoundCounts } from './media-thread/sound-totals.ts';
export type { MediaMetrics, MediaSessionEvent, OpenOutcome } from './media-thread/protocol.ts';
export { raiseThreadPriority } from './media-thread/thread-priority.ts';
export { createSpeechBridge, serveSpeech } from './media-thread/speech-bridge.ts';
export { createMutedConversations, type MutedConversationsOptions } from './media/muted-conversations.ts';
export { Callee, type CalleeOptions } from './personas/callee.ts';
export { echo, hangsUpAfter } from './personas/load.ts';
export type { CalleeSignal, Cue, Persona, Script, Step, StepEnd, TimedStep } from './personas/persona.ts';
export { createSoundBank, type Samples, type SoundBank, type SoundBankOptions } from './personas/sound-bank.ts';
export type { Sound, ToneSegment } from './personas/sounds.ts';
export { personaAt, TEST_NUMBERS, type NumberTable } from './personas/test-numbers.ts';
export { PortRange, type PortRangeOptions } from './rtp/port-range.ts';
export { randomCanonicalName, randomIdentity } from './rtp/random-identity.ts';
export {
  OFFERED_EVENT_PAYLOAD_TYPE,
  PAYLOAD_TYPES,
  type Endpoint,
  type MediaDirection,
  type RemoteMedia,
} from './rtp/remote-media.ts';
export { RtpSession, type RtpReport, type RtpSessionEvent, type RtpSessionOptions } from './rtp/rtp-session.ts';
export type { SourceLearning } from './rtp/source-filter.ts';
export type { RtpSockets } from './rtp/rtp-sockets.ts';
export {
  createSimulatedCarrier,
  type Dialled,
  type SimulatedCarrier,
  type SimulatedCarrierOptions,
  type SimulatedMedia,
} from './simulated/simulated-carrier.ts';
export {
  createUserAgent,
  openSocketTransport,
  type CallRequest,
  type IncomingSession,
  type LocalAudio,
  type NegotiatedAudio,
  type Rejection,
  type Session,
  type SessionEnd,
  type SessionEvent,
  type SipLogEntry,
  type SocketTransport,
  type SocketTransportOptions,
  type UserAgent,
  type UserAgentOptions,
} from './sip/index.ts';
export { remoteMediaOf } from './sip-carrier/remote-sound.ts';
export { createSipCarrier, type SipCarrierOptions } from './sip-carrier/sip-carrier.ts';
export { trunkTarget } from './sip-carrier/trunk-call.ts';
export { createTrunkMonitor, type TrunkMonitor, type TrunkMonitorOptions } from './sip-carrier/trunk-monitor.ts';
