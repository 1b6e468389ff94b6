/** The loudest sample of every segment on each side, from 0 to 1: what a waveform shows. */
export interface WavPeaks {
  readonly callee: Float32Array;
  readonly agent: Float32Array;
  readonly durationSeconds: number;
}

interface Format {
  readonly dataBytes: number;
  readonly framesPerSecond: number;
  readonly headerBytes: number;
}

const MAX_HEADER_BYTES = 4_096;
const BYTES_PER_FRAME = 4;
const FULL_SCALE = 32_768;

/**
 * Reads the peaks of a recording from pieces of any size. Decoding two hours in the browser needs half a gigabyte; this
 * needs only the peaks. Recordings are 16-bit stereo: the callee is on the left side, the agent on the right.
 */
export class WavPeakReader {
  readonly #segments: number;
  #head = new Uint8Array(0);
  #format: Format | null = null;
  /** The incomplete frame at the end of the last piece. */
  #rest = new Uint8Array(0);
  #frames = 0;
  readonly #callee: Float32Array;
  readonly #agent: Float32Array;

  constructor(segments: number) {
    this.#segments = segments;
    this.#callee = new Float32Array(segments);
    this.#agent = new Float32Array(segments);
  }

  /** @throws RangeError if the data is not an Outdial recording. */
  push(piece: Uint8Array): void {
    if (this.#format !== null) return this.#readFrames(piece, this.#format);
    this.#head = joined(this.#head, piece);
    this.#format = parseHeader(this.#head);
    if (this.#format !== null) this.#readFrames(this.#head.subarray(this.#format.headerBytes), this.#format);
    else if (this.#head.length > MAX_HEADER_BYTES) throw new RangeError('no audio data in the first 4 KiB');
  }

  /** Null until the header is complete. */
  get peaks(): WavPeaks | null {
    if (this.#format === null) return null;
    const { dataBytes, framesPerSecond } = this.#format;
    return {
      callee: this.#callee,
      agent: this.#agent,
      durationSeconds: dataBytes / BYTES_PER_FRAME / framesPerSecond,
    };
  }

  #readFrames(piece: Uint8Array, { dataBytes }: Format): void {
    const bytes = this.#rest.length === 0 ? piece : joined(this.#rest, piece);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const totalFrames = Math.floor(dataBytes / BYTES_PER_FRAME);
    let offset = 0;
    for (; offset + BYTES_PER_FRAME <= bytes.length && this.#frames < totalFrames; offset += BYTES_PER_FRAME) {
      const segment = Math.floor((this.#frames * this.#segments) / totalFrames);
      raise(this.#callee, segment, view.getInt16(offset, true));
      raise(this.#agent, segment, view.getInt16(offset + 2, true));
      this.#frames += 1;
    }
    this.#rest = bytes.slice(offset, offset + BYTES_PER_FRAME);
  }
}

function raise(peaks: Float32Array, segment: number, sample: number): void {
  const level = Math.abs(sample) / FULL_SCALE;
  if (level > (peaks[segment] ?? 0)) peaks[segment] = level;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** Parses RIFF/WAVE chunks: a name, a length and that many bytes. Null: more data is needed. */
function parseHeader(bytes: Uint8Array): Format | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let framesPerSecond = 0;
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = String.fromCharCode(...bytes.subarray(offset, offset + 4));
    const length = view.getUint32(offset + 4, true);
    const body = offset + 8;
    if (name === 'data') {
      if (framesPerSecond === 0) throw new RangeError('audio data before its format');
      return { dataBytes: length, framesPerSecond, headerBytes: body };
    }
    if (name === 'fmt ') {
      if (body + 16 > bytes.length) return null;
      const isStereo16 = view.getUint16(body + 2, true) === 2 && view.getUint16(body + 14, true) === 16;
      if (!isStereo16) throw new RangeError('not 16-bit stereo');
      framesPerSecond = view.getUint32(body + 4, true);
    }
    offset = body + length + (length % 2);
  }
  return null;
}
