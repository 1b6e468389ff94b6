export interface WavSound {
  readonly samples: Int16Array;
  readonly rateHz: number;
}

const HEADER_BYTES = 44;
const RATES_HZ: ReadonlySet<number> = new Set([8_000, 16_000]);

/** A file of mono samples of 16 bits at 8 or 16 kHz, whose sizes are exact. Null for any other. */
export function readWav(file: Buffer): WavSound | null {
  if (file.length < HEADER_BYTES) return null;
  const text = (at: number) => file.toString('latin1', at, at + 4);
  const isRiff = text(0) === 'RIFF' && text(8) === 'WAVE' && text(12) === 'fmt ' && text(36) === 'data';
  const rateHz = file.readUInt32LE(24);
  const isMono = file.readUInt16LE(20) === 1 && file.readUInt16LE(22) === 1 && file.readUInt16LE(34) === 16;
  const areRatesExact = file.readUInt32LE(28) === 2 * rateHz && file.readUInt16LE(32) === 2;
  const areSizesExact =
    file.readUInt32LE(4) === file.length - 8 && file.readUInt32LE(40) === file.length - HEADER_BYTES;
  if (!isRiff || !isMono || !areRatesExact || !areSizesExact || !RATES_HZ.has(rateHz)) return null;
  const samples = Int16Array.from({ length: (file.length - HEADER_BYTES) >> 1 }, (_, at) =>
    file.readInt16LE(HEADER_BYTES + 2 * at),
  );
  return { samples, rateHz };
}

/** The header of a stream, which does not know its size. */
export function wavHeader(rateHz: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('RIFF\xff\xff\xff\xffWAVEfmt ', 0, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rateHz, 24);
  header.writeUInt32LE(2 * rateHz, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data\xff\xff\xff\xff', 36, 'latin1');
  return header;
}
