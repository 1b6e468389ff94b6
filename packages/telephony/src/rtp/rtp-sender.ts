import { FRAME_SAMPLES, type Frame } from '@outdial/calls';
import { DigitSender, type DigitStep } from './digit-sender.ts';
import { digitTones } from './digit-tones.ts';
import { encodeG711 } from './g711.ts';
import type { RemoteMedia } from './remote-media.ts';
import { RTP_HEADER_BYTES, writeRtpHeader, type RtpHeader } from './rtp-packet.ts';
import { addToTimestamp, nextSequenceNumber } from './serial-number.ts';
import { onlyDigits, TELEPHONE_EVENT_BYTES, writeTelephoneEvent } from './telephone-event.ts';

/** The longest sequence of digits that is queued. */
const MAX_DIGITS = 256;

/**
 * The socket may keep a packet until the system takes it. One that takes longer than this many packets, 160 ms, is of no
 * use any more.
 */
const KEPT_PACKETS = 8;
const VOICE_PACKET_BYTES = RTP_HEADER_BYTES + FRAME_SAMPLES;

/** Random start values, so that a stranger cannot guess them (RFC 3550 section 5.1). */
export interface RtpIdentity {
  readonly ssrc: number;
  readonly sequenceNumber: number;
  readonly timestamp: number;
}

/** Builds the packets of one stream: a frame of voice, or a step of a digit, for every 20 ms. */
export class RtpSender {
  readonly ssrc: number;
  readonly #digits = new DigitSender();
  /** Of voice, used in turn: 50 new ones a second for each call would have to be collected. */
  readonly #voicePackets = voicePackets();
  readonly #header: { -readonly [Field in keyof RtpHeader]: RtpHeader[Field] };
  #tones: Frame[] = [];
  #timestamp: number;
  #eventTimestamp = 0;
  /** The next packet follows a pause. */
  #resumes = true;
  #packets = 0;
  #octets = 0;

  constructor(identity: RtpIdentity) {
    this.ssrc = identity.ssrc;
    this.#header = { marker: false, payloadType: 0, ...identity };
    this.#timestamp = identity.timestamp;
  }

  /** For a sender report: the totals sent, and the current timestamp. Both counts wrap at 32 bits. */
  get totals(): { readonly packets: number; readonly octets: number; readonly timestamp: number } {
    return { packets: this.#packets >>> 0, octets: this.#octets >>> 0, timestamp: this.#timestamp };
  }

  queueDigits(text: string, asEvents: boolean): void {
    const digits = onlyDigits(text).slice(0, MAX_DIGITS);
    if (asEvents) this.#digits.queue(digits);
    else this.#tones.push(...digitTones(digits));
  }

  /** The packet of this frame; a digit in progress replaces the voice. */
  next(voice: Frame, remote: RemoteMedia): Buffer {
    const step = remote.eventPayloadType === null ? undefined : this.#digits.next();
    const packet =
      step && remote.eventPayloadType !== null
        ? this.#eventPacket(step, remote.eventPayloadType)
        : this.#voicePacket(this.#tones.shift() ?? voice, remote);
    this.#timestamp = addToTimestamp(this.#timestamp, FRAME_SAMPLES);
    return packet;
  }

  /** Advances time while nothing may be sent. */
  pause(): void {
    this.#timestamp = addToTimestamp(this.#timestamp, FRAME_SAMPLES);
    this.#resumes = true;
  }

  #voicePacket(frame: Frame, remote: RemoteMedia): Buffer {
    const packet = this.#voicePackets[this.#packets % KEPT_PACKETS] ?? Buffer.allocUnsafe(VOICE_PACKET_BYTES);
    this.#begin(packet, remote.payloadType, this.#timestamp, this.#resumes);
    this.#resumes = false;
    encodeG711(remote.law, frame, packet, RTP_HEADER_BYTES);
    return packet;
  }

  #eventPacket({ event, first }: DigitStep, payloadType: number): Buffer {
    if (first) this.#eventTimestamp = this.#timestamp;
    const packet = Buffer.allocUnsafe(RTP_HEADER_BYTES + TELEPHONE_EVENT_BYTES);
    this.#begin(packet, payloadType, this.#eventTimestamp, first);
    this.#resumes = true;
    writeTelephoneEvent(event, packet, RTP_HEADER_BYTES);
    return packet;
  }

  #begin(packet: Buffer, payloadType: number, timestamp: number, marker: boolean): void {
    const header = this.#header;
    header.marker = marker;
    header.payloadType = payloadType;
    header.timestamp = timestamp;
    writeRtpHeader(packet, header);
    header.sequenceNumber = nextSequenceNumber(header.sequenceNumber);
    this.#packets += 1;
    this.#octets += packet.length - RTP_HEADER_BYTES;
  }
}

function voicePackets(): readonly Buffer[] {
  const memory = Buffer.alloc(KEPT_PACKETS * VOICE_PACKET_BYTES);
  return Array.from({ length: KEPT_PACKETS }, (_, nth) =>
    memory.subarray(nth * VOICE_PACKET_BYTES, (nth + 1) * VOICE_PACKET_BYTES),
  );
}
