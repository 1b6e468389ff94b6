import type { Endpoint } from '../../rtp/remote-media.ts';
import type { DatagramListener, RtpSockets } from '../../rtp/rtp-sockets.ts';

/** The pretended destination of what is sent to a mirror; nothing leaves the process. */
export const MIRROR: Endpoint = { host: '127.0.0.1', port: 9 };

/** A network that returns every packet at once: each sender hears itself. */
export function mirrorSockets(): RtpSockets {
  let listeners: { readonly onRtp: DatagramListener; readonly onRtcp: DatagramListener } | undefined;
  return {
    rtpPort: MIRROR.port,
    listen(given) {
      listeners = given;
    },
    sendRtp: (packet, to) => listeners?.onRtp(packet, to),
    sendRtcp: (packet, to) => listeners?.onRtcp(packet, to),
    close: () => Promise.resolve(),
  };
}
