import { SAMPLE_RATE_HZ } from '@outdial/calls';

/**
 * RIFF/WAVE with one `fmt ` and one `data` chunk, PCM (Multimedia Programming Interface and Data Specifications 1.0,
 * IBM and Microsoft, 1991). Always mono, 8 kHz, 16 bits, so that only the two sizes differ between files.
 */
const HEADER_BYTES = 44;
const RIFF_SIZE_AT = 4;
const DATA_SIZE_AT = 40;
const BYTES_PER_SAMPLE = 2;
const PCM_FORMAT = 1;

function headerOf(dataBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(HEADER_BYTES - 8 + dataBytes, RIFF_SIZE_AT);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(PCM_FORMAT, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ * BYTES_PER_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, DATA_SIZE_AT);
  return header;
}

/** `samples` as a file: mono, 8 kHz. */
export function writeWav(samples: Int16Array): Buffer {
  const file = Buffer.alloc(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE);
  headerOf(samples.length * BYTES_PER_SAMPLE).copy(file);
  for (const [index, sample] of samples.entries()) file.writeInt16LE(sample, HEADER_BYTES + index * BYTES_PER_SAMPLE);
  return file;
}

/** The samples of a file that `writeWav` wrote; undefined for any other file. */
export function readWav(file: Buffer): Int16Array | undefined {
  const dataBytes = file.length - HEADER_BYTES;
  if (dataBytes < 0 || dataBytes % BYTES_PER_SAMPLE !== 0) return undefined;
  if (!file.subarray(0, HEADER_BYTES).equals(headerOf(dataBytes))) return undefined;
  const samples = new Int16Array(dataBytes / BYTES_PER_SAMPLE);
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = file.readInt16LE(HEADER_BYTES + index * BYTES_PER_SAMPLE);
  }
  return samples;
}
