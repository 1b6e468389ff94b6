import { invariant } from '@outdial/kernel';
import { bindRtpSockets, type RtpSockets } from './rtp-sockets.ts';

export interface PortRangeOptions {
  /** The local address to listen on; 0.0.0.0 for all. */
  readonly address: string;
  /** The first and the last port, for RTP and RTCP: two for every call. */
  readonly firstPort: number;
  readonly lastPort: number;
}

/**
 * Allocates pairs of ports, the least recently used one first, so that a late packet of a previous call reaches no
 * other call.
 */
export class PortRange {
  readonly #address: string;
  readonly #firstPair: number;
  readonly #pairs: number;
  readonly #taken = new Set<number>();
  #next = 0;

  constructor({ address, firstPort, lastPort }: PortRangeOptions) {
    this.#address = address;
    this.#firstPair = Math.ceil(firstPort / 2);
    this.#pairs = Math.floor((lastPort + 1) / 2) - this.#firstPair;
    const isRange = Number.isInteger(firstPort) && Number.isInteger(lastPort) && firstPort > 0 && lastPort < 65_536;
    invariant(
      isRange && this.#pairs > 0,
      'a range of RTP ports must hold an even port and the next one, within 1 … 65535',
    );
  }

  /** How many sessions it can carry at once, if other programs use none of its ports. */
  get capacity(): number {
    return this.#pairs;
  }

  /** Null if every pair is in use, here or by other programs. Rejects if the address is not one of this machine's. */
  async open(): Promise<RtpSockets | null> {
    for (let tried = 0; tried < this.#pairs; tried += 1) {
      const pair = this.#next;
      this.#next = (pair + 1) % this.#pairs;
      if (this.#taken.has(pair)) continue;
      const sockets = await this.#bind(pair);
      if (sockets) return sockets;
    }
    return null;
  }

  async #bind(pair: number): Promise<RtpSockets | null> {
    this.#taken.add(pair);
    let bound: RtpSockets | null = null;
    try {
      bound = await bindRtpSockets(this.#address, 2 * (this.#firstPair + pair));
    } finally {
      if (!bound) this.#taken.delete(pair);
    }
    return bound && this.#releasing(bound, pair);
  }

  #releasing(sockets: RtpSockets, pair: number): RtpSockets {
    return {
      rtpPort: sockets.rtpPort,
      listen: (listeners) => sockets.listen(listeners),
      sendRtp: (packet, to) => sockets.sendRtp(packet, to),
      sendRtcp: (packet, to) => sockets.sendRtcp(packet, to),
      close: async () => {
        await sockets.close();
        this.#taken.delete(pair);
      },
    };
  }
}
