const SAMPLE_RATE_HZ = 8_000;
const HEADER_BYTES = 44;

/** A WAV file of a sound: mono, 8 kHz, 16 bits. */
export function toWav(samples: Int16Array): Buffer {
  const wav = Buffer.alloc(HEADER_BYTES + 2 * samples.length);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  // Linear PCM, mono.
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(SAMPLE_RATE_HZ, 24);
  wav.writeUInt32LE(2 * SAMPLE_RATE_HZ, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(2 * samples.length, 40);
  for (const [at, sample] of samples.entries()) wav.writeInt16LE(sample, HEADER_BYTES + 2 * at);
  return wav;
}

/** @throws for any other kind of WAV file, or when the header's sizes are wrong. */
export function fromWav(wav: Buffer): Int16Array {
  const header = [wav.readUInt16LE(22), wav.readUInt32LE(24), wav.readUInt16LE(34), wav.readUInt32LE(40)].join();
  const expected = [1, SAMPLE_RATE_HZ, 16, wav.length - HEADER_BYTES].join();
  if (header !== expected) throw new Error(`the header of the WAV file has ${header}instead of ${expected}`);
  return Int16Array.from({ length: (wav.length - HEADER_BYTES) / 2 }, (_, at) =>
    wav.readInt16LE(HEADER_BYTES + 2 * at),
  );
}
