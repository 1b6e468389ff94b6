/**
 * Whether a trace with this id is among the part that is sampled. The same for every process: the XOR of the four words of
 * the id, as OpenTelemetry’s samplers compute it, so that a client with the same ratio agrees.
 */
export function isWithinRatio(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  const words = [0, 8, 16, 24].map((at) => Number.parseInt(traceId.slice(at, at + 8), 16));
  const folded = words.reduce((all, word) => all ^ word, 0) >>> 0;
  return folded < boundOf(ratio);
}

/** A random id among that part. With a ratio of 0 there is none, and any id is returned. */
export function randomTraceIdWithin(ratio: number): string {
  const folded = Math.floor(Math.random() * (ratio >= 1 ? WORD : boundOf(ratio)));
  const words = [randomWord(), randomWord(), randomWord()];
  const last = words.reduce((all, word) => all ^ word, folded) >>> 0;
  const id = [...words, last].map(hexOf).join('');
  return id === NO_ID ? randomTraceIdWithin(ratio) : id;
}

const WORD = 2 ** 32;
/** Means that there is no trace. */
const NO_ID = '0'.repeat(32);
const boundOf = (ratio: number): number => Math.floor(ratio * 0xffffffff);
const randomWord = (): number => Math.floor(Math.random() * WORD);
const hexOf = (word: number): string => word.toString(16).padStart(8, '0');
