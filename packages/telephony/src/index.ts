export { EventChannel } from './event-channel.ts';
export type { ConversationsOptions } from './media/conversation.ts';
export { createConversations } from './media/conversations.ts';
export { padToFrames, rootMeanSquare } from './media/frames.ts';
export {
  createMediaClock,
  createPhasedClocks,
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
export type { MediaSession } from './media-thread/media-session-client.ts';
export { createMediaHost, type MediaHost, type MediaHostOptions } from './media-thread/media-host.ts';
export { rehearse, type RehearsalOptions } from './media-thread/rehearsal/rehearse.ts';
export type { SoundCounts } from './media-thread/sound-totals.ts';
export type { MediaMetrics, MediaSessionEvent, OpenOutcome } from './media-thread/protocol.ts';
export { createSpeechBridge, serveSpeech } from './media-thread/speech-bridge.ts';
export { decodeG711, encodeG711, type G711Law } from './rtp/g711.ts';
export { PortRange, type PortRangeOptions } from './rtp/port-range.ts';
export { randomCanonicalName, randomIdentity } from './rtp/random-identity.ts';
export {
  OFFERED_EVENT_PAYLOAD_TYPE,
  PAYLOAD_TYPES,
  type Endpoint,
  type MediaDirection,
  type RemoteMedia,
  type SourceLearning,
} from './rtp/remote-media.ts';
export { RtpSession, type RtpReport, type RtpSessionEvent, type RtpSessionOptions } from './rtp/rtp-session.ts';
export type { RtpSockets } from './rtp/rtp-sockets.ts';
export { remoteMediaOf } from './sip-carrier/remote-sound.ts';
export { createSipCarrier, type SipCarrierOptions } from './sip-carrier/sip-carrier.ts';
export { trunkTarget } from './sip-carrier/trunk-call.ts';
export { createTrunkMonitor, type TrunkMonitor, type TrunkMonitorOptions } from './sip-carrier/trunk-monitor.ts';
export { outcomeOfRefusal } from './sip-outcome.ts';
