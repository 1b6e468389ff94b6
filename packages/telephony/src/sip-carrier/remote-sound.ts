import type { TrunkMediaSource } from '@outdial/calls';
import type { NegotiatedAudio } from '@outdial/sip';
import type { RemoteMedia } from '../rtp/remote-media.ts';

/** What the two descriptions came to, as an RTP session wants it. RTCP goes to the port after RTP's. */
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
