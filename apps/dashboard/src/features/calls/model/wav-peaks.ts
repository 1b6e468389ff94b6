/** Of each channel the loudest sample of every stretch, from 0 to 1: what a waveform shows. */
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
 * Reads the peaks of a recording as it arrives, in pieces of any size. A browser that decodes two hours whole needs half a
 * gigabyte; this needs what it gives back. Recordings are stereo, 16 bits: left the callee, right the agent.
 */
export class WavPeakReader {
  readonly #stretches: number;
  #head = new Uint8Array(0);
  #format: Format | null = null;
  /** Bytes of a frame that a piece has broken off. */
  #rest = new Uint8Array(0);
  #frames = 0;
  readonly #callee: Float32Array;
  readonly #agent: Float32Array;

  constructor(stretches: number) {
    this.#stretches = stretches;
    this.#callee = new Float32Array(stretches);
    this.#agent = new Float32Array(stretches);
  }

  /** @throws RangeError if this is no recording of ours. */
  push(piece: Uint8Array): void {
    if (this.#format !== null) return this.#readFrames(piece, this.#format);
    this.#head = joined(this.#head, piece);
    this.#format = parseHeader(this.#head);
    if (this.#format !== null) this.#readFrames(this.#head.subarray(this.#format.headerBytes), this.#format);
    else if (this.#head.length > MAX_HEADER_BYTES) throw new RangeError('no sound in the first 4 KiB');
  }

  /** Null: its header has not arrived. */
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
      const stretch = Math.floor((this.#frames * this.#stretches) / totalFrames);
      raise(this.#callee, stretch, view.getInt16(offset, true));
      raise(this.#agent, stretch, view.getInt16(offset + 2, true));
      this.#frames += 1;
    }
    this.#rest = bytes.slice(offset, offset + BYTES_PER_FRAME);
  }
}

function raise(peaks: Float32Array, stretch: number, sample: number): void {
  const level = Math.abs(sample) / FULL_SCALE;
  if (level > (peaks[stretch] ?? 0)) peaks[stretch] = level;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** RIFF/WAVE: chunks of a name, a length and as many bytes. Null: more of it is needed. */
function parseHeader(bytes: Uint8Array): Format | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let framesPerSecond = 0;
  for (let offset = 12; offset + 8 <= bytes.length;) {
    const name = String.fromCharCode(...bytes.subarray(offset, offset + 4));
    const length = view.getUint32(offset + 4, true);
    const body = offset + 8;
    if (name === 'data') {
      if (framesPerSecond === 0) throw new RangeError('sound without a format');
      return { dataBytes: length, framesPerSecond, headerBytes: body };
    }
    if (name === 'fmt ') {
      if (body + 16 > bytes.length) return null;
      const isStereo16 = view.getUint16(body + 2, true) === 2 && view.getUint16(body + 14, true) === 16;
      if (!isStereo16) throw new RangeError('not stereo of 16 bits');
      framesPerSecond = view.getUint32(body + 4, true);
    }
    offset = body + length + (length % 2);
  }
  return null;
}
