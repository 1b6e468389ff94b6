import { parseSdp } from './parse-sdp.ts';
import { both, mirrored, readAudio, type RemoteAudio } from './read-audio.ts';
import type { AudioCodec, Direction, SessionDescription } from './session-description.ts';
import { writeSdp, type AudioLine, type RejectedSection } from './write-sdp.ts';

/** Our end of the audio. Its RTP is handled elsewhere. */
export interface LocalAudio {
  /** IPv4 address that the far end can reach. */
  readonly address: string;
  readonly port: number;
  /** In order of preference. */
  readonly codecs: readonly AudioCodec[];
  /** Payload type of telephone-event (RFC 4733) in our offers; null for a call without DTMF. */
  readonly dtmfPayloadType: number | null;
  readonly ptimeMs: number;
}

/** The result of offer and answer (RFC 3264). */
export interface NegotiatedAudio {
  readonly codec: AudioCodec;
  /**
   * The payload type that the far end wants to receive. It sends the same, unless our offer gave the codec another
   * number.
   */
  readonly payloadType: number;
  readonly dtmfPayloadType: number | null;
  readonly remoteAddress: string;
  readonly remotePort: number;
  /** The packet length that the far end wants. */
  readonly ptimeMs: number;
  /** From our side: `sendonly` and `inactive` receive nothing. */
  readonly direction: Direction;
  /** The far end put the call on hold: it does not want to hear us. */
  readonly held: boolean;
}

const STATIC_PAYLOAD_TYPES: Readonly<Record<AudioCodec, number>> = { PCMU: 0, PCMA: 8 };

/** Offers and answers of one session for one audio stream (RFC 3264). */
export class AudioNegotiation {
  readonly #local: LocalAudio;
  readonly #sessionId: number;
  /** The direction that we want; the far end may allow less. */
  #direction: Direction = 'sendrecv';
  #version = 0;
  #last = '';

  constructor(local: LocalAudio, sessionId: number) {
    this.#local = local;
    this.#sessionId = sessionId;
  }

  /** An offer of all codecs. An unchanged offer keeps its version: it refreshes the session and changes nothing. */
  offer(direction: Direction = this.#direction): string {
    this.#direction = direction;
    const { codecs, ...rest } = this.#local;
    const offered = codecs.map((codec) => ({ codec, payloadType: STATIC_PAYLOAD_TYPES[codec] }));
    return this.#write({ ...rest, codecs: offered, direction });
  }

  /** Applies the answer to our offer; undefined when the answer is unusable. */
  acceptAnswer(text: string): NegotiatedAudio | undefined {
    const remote = this.#read(text)?.remote;
    return remote === undefined ? undefined : this.#agree(remote);
  }

  /** Answers an offer; undefined without a common codec. Keeps the offer's order and payload types. */
  answer(text: string): { readonly sdp: string; readonly audio: NegotiatedAudio } | undefined {
    const read = this.#read(text);
    const codec = read?.remote.codecs[0];
    if (read === undefined || codec === undefined) return undefined;
    const audio = this.#agree(read.remote);
    if (audio === undefined) return undefined;
    const { address, port, ptimeMs, dtmfPayloadType } = this.#local;
    const dtmf = dtmfPayloadType === null ? null : read.remote.dtmfPayloadType;
    const line = { address, port, ptimeMs, codecs: [codec], dtmfPayloadType: dtmf, direction: audio.direction };
    return { sdp: this.#write(line, answeredSections(read.description, read.remote.index)), audio };
  }

  #read(text: string): { description: SessionDescription; remote: RemoteAudio } | undefined {
    const description = parseSdp(text);
    const remote = description && readAudio(description, this.#local.codecs);
    return description === undefined || remote === undefined ? undefined : { description, remote };
  }

  #agree({ codecs, address, port, dtmfPayloadType, ptimeMs, direction }: RemoteAudio): NegotiatedAudio | undefined {
    const [chosen] = codecs;
    if (chosen === undefined) return undefined;
    return {
      ...chosen,
      dtmfPayloadType: this.#local.dtmfPayloadType === null ? null : dtmfPayloadType,
      remoteAddress: address,
      remotePort: port,
      ptimeMs,
      direction: both(this.#direction, mirrored(direction)),
      held: direction === 'sendonly' || direction === 'inactive',
    };
  }

  #write(line: AudioLine, sections?: readonly (RejectedSection | 'audio')[]): string {
    const write = () => writeSdp({ sessionId: this.#sessionId, version: this.#version }, line, sections);
    if (write() === this.#last) return this.#last;
    this.#version += 1;
    this.#last = write();
    return this.#last;
  }
}

function answeredSections({ media }: SessionDescription, audioIndex: number): (RejectedSection | 'audio')[] {
  return media.map(({ type, profile, formats }, index) =>
    index === audioIndex ? 'audio' : { type, profile, format: formats[0] ?? '0' },
  );
}
