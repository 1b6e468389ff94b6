const HEADER_BYTES = 44;
const PCM = 1;

/** A RIFF file of mono samples of 16 bits. */
export function wavOf(samples: Int16Array, rateHz: number): Buffer {
  const bytes = samples.length * 2;
  const file = Buffer.alloc(HEADER_BYTES + bytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(HEADER_BYTES - 8 + bytes, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rateHz, 24);
  file.writeUInt32LE(rateHz * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(bytes, 40);
  for (let at = 0; at < samples.length; at += 1) file.writeInt16LE(samples[at] ?? 0, HEADER_BYTES + 2 * at);
  return file;
}
