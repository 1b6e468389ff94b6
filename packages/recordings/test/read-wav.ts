export interface Wav {
  readonly riffBytes: number;
  readonly channels: number;
  readonly sampleRateHz: number;
  readonly bitsPerSample: number;
  /** Interleaved. */
  readonly samples: Int16Array;
}

/** Parses a PCM WAV by its chunks, as a player does; throws on invalid input. */
export function readWav(file: Buffer): Wav {
  const tagAt = (at: number) => file.toString('latin1', at, at + 4);
  if (tagAt(0) !== 'RIFF' || tagAt(8) !== 'WAVE') throw new Error('not a WAV');
  const chunks = new Map<string, Buffer>();
  for (let at = 12; at < file.length;) {
    const length = file.readUInt32LE(at + 4);
    if (at + 8 + length > file.length) throw new Error(`chunk ${tagAt(at)} is longer than the file`);
    chunks.set(tagAt(at), file.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  const format = chunks.get('fmt ');
  const data = chunks.get('data');
  if (!format || !data) throw new Error('a chunk is missing');
  if (format.readUInt16LE(0) !== 1) throw new Error('not PCM');
  return {
    riffBytes: file.readUInt32LE(4),
    channels: format.readUInt16LE(2),
    sampleRateHz: format.readUInt32LE(4),
    bitsPerSample: format.readUInt16LE(14),
    samples: new Int16Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length)),
  };
}
