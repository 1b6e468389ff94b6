const RATIO = 3;

/** Sound of 8 kHz as linear PCM of 24 kHz in little endian, with straight lines between the samples. */
export function pcmAt24Khz(samples: Int16Array): Buffer {
  const pcm = Buffer.alloc(samples.length * RATIO * 2);
  for (let at = 0; at < samples.length * RATIO; at += 1) {
    const from = samples[Math.floor(at / RATIO)] ?? 0;
    const to = samples[Math.floor(at / RATIO) + 1] ?? 0;
    pcm.writeInt16LE(Math.round(from + ((to - from) * (at % RATIO)) / RATIO), at * 2);
  }
  return pcm;
}

/** Linear PCM of 8 or 16 kHz as samples of 8 kHz. Null: another format. */
export function samplesOfPcm(mimeType: string, pcm: Buffer): Int16Array | null {
  const step = { 'audio/pcm;rate=8000': 1, 'audio/pcm;rate=16000': 2 }[mimeType];
  if (step === undefined || pcm.length % 2 !== 0) return null;
  return Int16Array.from({ length: Math.ceil(pcm.length / (2 * step)) }, (_, at) => pcm.readInt16LE(at * 2 * step));
}
