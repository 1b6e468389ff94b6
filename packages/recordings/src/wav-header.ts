/**
 * The header of a recording: RIFF/WAVE with one `fmt ` and one `data` chunk, PCM (Multimedia Programming Interface and
 * Data Specifications 1.0, IBM and Microsoft, 1991). Stereo, 8 kHz, 16 bits.
 */
export const WAV_HEADER_BYTES = 44;

const CHANNELS = 2;
const SAMPLE_RATE_HZ = 8_000;
const BYTES_PER_SAMPLE = 2;
const PCM_FORMAT = 1;
const FORMAT_CHUNK_BYTES = 16;
/** One sample of both sides. */
export const BYTES_PER_STEREO_SAMPLE = CHANNELS * BYTES_PER_SAMPLE;

export function wavHeader(dataBytes: number): Buffer {
  const header = Buffer.alloc(WAV_HEADER_BYTES);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(WAV_HEADER_BYTES - 8 + dataBytes, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(FORMAT_CHUNK_BYTES, 16);
  header.writeUInt16LE(PCM_FORMAT, 20);
  header.writeUInt16LE(CHANNELS, 22);
  header.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  header.writeUInt32LE(SAMPLE_RATE_HZ * BYTES_PER_STEREO_SAMPLE, 28);
  header.writeUInt16LE(BYTES_PER_STEREO_SAMPLE, 32);
  header.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(dataBytes, 40);
  return header;
}
