import { invariant } from '@outdial/kernel';
import { bindRtpSockets, type RtpSockets } from './rtp-sockets.ts';

export interface PortRangeOptions {
  /** The address of this machine to listen on; 0.0.0.0 for all of them. */
  readonly address: string;
  /** The first and the last port that may be used, RTP and RTCP together: two for every call. */
  readonly firstPort: number;
  readonly lastPort: number;
}

/** Hands out pairs of ports, the one that was free longest first: a late packet of the last call finds nobody. */
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
    invariant(isRange && this.#pairs > 0, 'a range of RTP ports holds an even port and the next, within 1 … 65535');
  }

  /** How many sessions it can carry at once, if nobody else takes ports of it. */
  get capacity(): number {
    return this.#pairs;
  }

  /** Null if every pair is taken, by us or by others. Rejects if the address is not one of this machine's. */
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
