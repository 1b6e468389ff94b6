/**
 * Whether a trace with this id is among the part that is sampled. The same for every process: the XOR of the four words of
 * the id, as OpenTelemetry’s samplers compute it, so that a client with the same ratio agrees.
 */
export function isWithinRatio(traceId: string, ratio: number): boolean {
  if (ratio >= 1) return true;
  const words = [0, 8, 16, 24].map((at) => Number.parseInt(traceId.slice(at, at + 8), 16));
  const folded = words.reduce((all, word) => all ^ word, 0) >>> 0;
  return folded < Math.floor(ratio * 0xffffffff);
}
