const SAMPLE_RATE_HZ = 8_000;
const HEADER_BYTES = 44;
const PEAK = 8_000;

/** A WAV file of one tone: mono, 8 kHz, 16 bits. */
export function toneWav(hz: number, seconds: number): Buffer {
  const samples = seconds * SAMPLE_RATE_HZ;
  const wav = Buffer.alloc(HEADER_BYTES + 2 * samples);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  // Linear PCM, one channel.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  wav.writeUInt32LE(2 * SAMPLE_RATE_HZ, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(2 * samples, 40);
  for (let at = 0; at < samples; at += 1) {
    wav.writeInt16LE(Math.round(PEAK * Math.sin((2 * Math.PI * hz * at) / SAMPLE_RATE_HZ)), HEADER_BYTES + 2 * at);
  }
  return wav;
}
