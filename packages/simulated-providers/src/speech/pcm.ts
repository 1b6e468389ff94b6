const RATIO = 3;

/**
 * Sound of 8 kHz as linear PCM of 24 kHz in little endian, with straight lines between the samples: what that adds is above
 * the telephone's band.
 */
export function pcmAt24Khz(samples: Int16Array): Buffer {
  const pcm = Buffer.alloc(samples.length * RATIO * 2);
  for (const [at, sample] of samples.entries()) {
    const next = samples[at + 1] ?? sample;
    for (let part = 0; part < RATIO; part += 1) {
      pcm.writeInt16LE(Math.round(sample + ((next - sample) * part) / RATIO), 2 * (at * RATIO + part));
    }
  }
  return pcm;
}

/** Linear PCM of 8 or 16 kHz as samples of 8 kHz. Null: another format. */
export function samplesOfPcm(mimeType: string, pcm: Buffer): Int16Array | null {
  const step = { 'audio/pcm;rate=8000': 1, 'audio/pcm;rate=16000': 2 }[mimeType];
  if (step === undefined || pcm.length % 2 !== 0) return null;
  return Int16Array.from({ length: Math.ceil(pcm.length / (2 * step)) }, (_, at) => pcm.readInt16LE(at * 2 * step));
}
