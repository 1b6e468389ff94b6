import { FRAME_SAMPLES, type Frame } from '@outdial/calls';
import { DigitReceiver } from './digit-receiver.ts';
import { decodeG711 } from './g711.ts';
import { JitterBuffer, type JitterCounts } from './jitter-buffer.ts';
import { ReceptionCounter } from './reception.ts';
import { COMFORT_NOISE_PAYLOAD_TYPE, PAYLOAD_TYPES, type RemoteMedia } from './remote-media.ts';
import type { RtpPacket } from './rtp-packet.ts';

/** 200 ms in one packet: no telephone sends more. */
const MAX_PAYLOAD_BYTES = 1_600;
/**
 * Shared by all packets of the thread, which are decoded here on their way into a jitter buffer. It keeps the last
 * packet's length, since most are equal.
 */
let decoded = new Int16Array(FRAME_SAMPLES);

export interface ReceivedStream extends JitterCounts {
  readonly packets: number;
  readonly lost: number;
  readonly jitterMs: number;
  /** Packets of an unexpected format or source. */
  readonly ignored: number;
}

/** Turns the packets of one far end into audio and digits. */
export class RtpReceiver {
  readonly #jitter = new JitterBuffer();
  readonly #digits = new DigitReceiver();
  readonly #onDigit: (digit: string) => void;
  #counter = new ReceptionCounter();
  #ssrc: number | undefined;
  #candidate: number | undefined;
  #before = { packets: 0, lost: 0 };
  #ignored = 0;

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit;
  }

  /** `arrivedMs` by the monotonic clock. */
  receive(packet: RtpPacket, remote: RemoteMedia, arrivedMs: number): void {
    if (!this.#follow(packet.ssrc)) {
      this.#ignored += 1;
      return;
    }
    // All packets of an event carry its start: they reveal nothing about jitter.
    const isEvent = packet.payloadType === remote.eventPayloadType;
    this.#counter.add(packet.sequenceNumber, isEvent ? null : packet.timestamp, arrivedMs);
    if (isEvent) this.#receiveEvent(packet);
    else this.#receiveSound(packet, remote, arrivedMs);
  }

  /** The frame of this tick; undefined when there is nothing to play. */
  pull(): Frame | undefined {
    return this.#jitter.pull();
  }

  get source(): { readonly ssrc: number; readonly counter: ReceptionCounter } | null {
    return this.#ssrc === undefined ? null : { ssrc: this.#ssrc, counter: this.#counter };
  }

  get totals(): ReceivedStream {
    return {
      ...this.#jitter.counts,
      packets: this.#before.packets + this.#counter.received,
      lost: this.#before.lost + this.#counter.lost,
      jitterMs: this.#counter.jitterMs,
      ignored: this.#ignored,
    };
  }

  /** A new source is followed with its second packet in a row, so that a stray packet does not cut off the voice. */
  #follow(ssrc: number): boolean {
    if (ssrc === this.#ssrc) {
      this.#candidate = undefined;
      return true;
    }
    if (this.#ssrc !== undefined && this.#candidate !== ssrc) {
      this.#candidate = ssrc;
      return false;
    }
    const { packets, lost } = this.totals;
    this.#before = { packets, lost };
    this.#counter = new ReceptionCounter();
    this.#jitter.reset();
    this.#digits.reset();
    this.#ssrc = ssrc;
    this.#candidate = undefined;
    return true;
  }

  #receiveEvent(packet: RtpPacket): void {
    const digit = this.#digits.receive(packet.timestamp, packet.payload);
    if (digit !== null) this.#onDigit(digit);
  }

  #receiveSound({ payloadType, timestamp, payload }: RtpPacket, remote: RemoteMedia, arrivedMs: number): void {
    if (payloadType === COMFORT_NOISE_PAYLOAD_TYPE) return;
    const law =
      payloadType === remote.payloadType
        ? remote.law
        : (['PCMU', 'PCMA'] as const).find((law) => PAYLOAD_TYPES[law] === payloadType);
    if (law === undefined || payload.length > MAX_PAYLOAD_BYTES) {
      this.#ignored += 1;
      return;
    }
    if (decoded.length !== payload.length) decoded = new Int16Array(payload.length);
    this.#jitter.insert(timestamp, decodeG711(law, payload, decoded), arrivedMs);
  }
}
