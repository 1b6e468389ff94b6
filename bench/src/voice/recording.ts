const HEADER_BYTES = 44;
const BYTES_PER_STEREO_SAMPLE = 4;
export const SAMPLES_PER_MS = 8;

/** Both sides of a call: mono, 8 kHz, of equal length, aligned to the sample. */
export interface Recording {
  readonly callee: Int16Array;
  readonly agent: Int16Array;
}

/** @throws unless it is a stereo WAV of 8 kHz and 16 bits. */
export function parseRecording(wav: Buffer): Recording {
  const isExpected =
    wav.toString('latin1', 0, 4) === 'RIFF' &&
    wav.readUInt16LE(22) === 2 &&
    wav.readUInt32LE(24) === SAMPLES_PER_MS * 1_000 &&
    wav.readUInt16LE(34) === 16;
  if (!isExpected) throw new Error('the recording is not a stereo WAV of 8 kHz and 16 bits');
  const length = Math.floor((wav.length - HEADER_BYTES) / BYTES_PER_STEREO_SAMPLE);
  const [callee, agent] = [new Int16Array(length), new Int16Array(length)];
  for (let at = 0; at < length; at += 1) {
    callee[at] = wav.readInt16LE(HEADER_BYTES + at * BYTES_PER_STEREO_SAMPLE);
    agent[at] = wav.readInt16LE(HEADER_BYTES + at * BYTES_PER_STEREO_SAMPLE + 2);
  }
  return { callee, agent };
}
