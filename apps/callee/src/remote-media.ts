import type { NegotiatedAudio, RemoteMedia } from '@outdial/telephony';

/** What the two ends agreed on in SDP, as the RTP session wants it. RTCP goes to the port after RTP's. */
export function remoteMediaOf(audio: NegotiatedAudio): RemoteMedia {
  const { remoteAddress, remotePort, codec, payloadType, dtmfPayloadType, direction } = audio;
  return {
    rtp: { host: remoteAddress, port: remotePort },
    rtcp: null,
    law: codec,
    payloadType,
    eventPayloadType: dtmfPayloadType,
    direction,
  };
}
