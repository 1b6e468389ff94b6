import type { TrunkMediaSource } from '@outdial/calls';
import type { NegotiatedAudio } from '@outdial/sip';
import type { RemoteMedia } from '../rtp/remote-media.ts';

/** The negotiated audio, in the form of an RTP session. RTCP goes to the port after RTP's. */
export function remoteMediaOf(audio: NegotiatedAudio, source: TrunkMediaSource = 'sdp_host'): RemoteMedia {
  return {
    rtp: { host: audio.remoteAddress, port: audio.remotePort },
    rtcp: null,
    law: audio.codec,
    payloadType: audio.payloadType,
    eventPayloadType: audio.dtmfPayloadType,
    direction: audio.direction,
    ...(source === 'any' ? { learning: 'any_host' } : {}),
  };
}
