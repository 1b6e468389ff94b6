import type { RemoteMedia } from '../rtp/remote-media.ts';
import type { NegotiatedAudio } from '../sip/sdp/audio-negotiation.ts';

/** What the two descriptions came to, in the words of the media thread. */
export function remoteMediaOf(audio: NegotiatedAudio): RemoteMedia {
  return {
    rtp: { host: audio.remoteAddress, port: audio.remotePort },
    rtcp: null,
    law: audio.codec,
    payloadType: audio.payloadType,
    eventPayloadType: audio.dtmfPayloadType,
    direction: audio.direction,
  };
}
