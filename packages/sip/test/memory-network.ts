import type { Clock } from '../src/clock.ts';
import { receiveBytes } from '../src/transport/inbound.ts';
import type { Channel, Destination, Inbound, Transport, TransportName } from '../src/transport/transport.ts';

/** Transit time of any message. */
const TRAVEL_MS = 1;

export interface Carried {
  readonly text: string;
  readonly from: string;
  readonly to: string;
  readonly transport: TransportName;
}

/** A network in memory that runs on the given clock: messages are carried as bytes and parsed again. */
export class MemoryNetwork {
  readonly #clock: Clock;
  readonly #ends = new Map<string, (bytes: Buffer, channel: Channel) => void>();
  /** Everything that was sent, lost or not. */
  readonly carried: Carried[] = [];
  /** Decides which messages are lost. */
  drops: (carried: Carried) => boolean = () => false;
  /** Addresses and transports to which nothing can be sent, such as `TCP 10.0.0.2`. */
  readonly refused = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Receives everything sent to port 5060 of `address`. */
  attach(address: string): Transport {
    let onInbound: ((inbound: Inbound) => void) | undefined;
    const sink = { log: () => undefined, onInbound: (inbound: Inbound) => onInbound?.(inbound) };
    this.#ends.set(address, (bytes, channel) => receiveBytes(bytes, channel, sink));
    return {
      listen: (listener) => {
        onInbound = listener;
      },
      open: (destination) => {
        const refused = this.refused.has(`${destination.transport} ${destination.address}`);
        return refused
          ? Promise.reject(new Error('connection refused'))
          : Promise.resolve(this.#channel(address, destination));
      },
      close: () => {
        this.#ends.delete(address);
        return Promise.resolve();
      },
    };
  }

  /** First lines of what was sent between two ends, in order. */
  lines(from?: string): string[] {
    return this.carried
      .filter((carried) => from === undefined || carried.from === from)
      .map(({ text }) => text.slice(0, text.indexOf('\r\n')));
  }

  #channel(from: string, remote: Destination): Channel {
    return {
      remote,
      local: { host: from, port: 5060 },
      reliable: remote.transport !== 'UDP',
      usable: true,
      isOnlyReturnPath: false,
      onClosed: () => () => undefined,
      send: (bytes, onDone) => {
        const { address: to, transport } = remote;
        const carried = { text: bytes.toString(), from, to, transport };
        this.carried.push(carried);
        onDone(undefined);
        if (this.drops(carried)) return;
        this.#clock.after(TRAVEL_MS, () => {
          const back = { transport, address: from, port: 5060 } as const;
          this.#ends.get(to)?.(Buffer.from(bytes), this.#channel(to, back));
        });
      },
    };
  }
}
