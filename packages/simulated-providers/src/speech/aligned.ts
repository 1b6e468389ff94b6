import type { Envelope } from './envelope.ts';

/** The steps that a line adds or loses when it runs late: 300 ms. */
const MAX_SKIPS = 15;
/** What leaving a step out costs, in mean levels: more than an ordinary difference of two equal steps. */
const SKIP_COST = 0.4;

interface Path {
  readonly cost: number;
  readonly skips: number;
  readonly before: Path | null;
  readonly pair: readonly [number, number] | null;
}

/**
 * The steps of both that belong together, without those that a late line added or lost: the cheapest alignment, in order.
 * Null if more than `MAX_SKIPS` steps would have to be left out.
 */
export function aligned(heard: Envelope, known: Envelope): readonly [Envelope, Envelope] | null {
  if (Math.abs(heard.length - known.length) > MAX_SKIPS) return null;
  const [heardMean, knownMean] = [meanOf(heard), meanOf(known)];
  let row = new Map<number, Path>([[0, { cost: 0, skips: 0, before: null, pair: null }]]);
  for (let at = 0; at <= heard.length; at += 1) {
    const next = new Map<number, Path>();
    for (let to = Math.max(0, at - MAX_SKIPS); to <= Math.min(known.length, at + MAX_SKIPS); to += 1) {
      const path = row.get(to);
      if (path === undefined) continue;
      const skipped = { cost: path.cost + SKIP_COST, skips: path.skips + 1, before: path, pair: null };
      keepCheaper(row, to + 1, to < known.length ? skipped : null);
      if (at === heard.length) continue;
      keepCheaper(next, to, skipped);
      if (to === known.length) continue;
      const pair = [heard[at] ?? 0, known[to] ?? 0] as const;
      const cost = path.cost + Math.abs(pair[0] / heardMean - pair[1] / knownMean);
      keepCheaper(next, to + 1, { cost, skips: path.skips, before: path, pair });
    }
    if (at < heard.length) row = next;
  }
  return pairsOf(row.get(known.length));
}

function keepCheaper(row: Map<number, Path>, to: number, path: Path | null): void {
  if (path === null || path.skips > MAX_SKIPS) return;
  const kept = row.get(to);
  if (kept === undefined || path.cost < kept.cost) row.set(to, path);
}

function pairsOf(end: Path | undefined): readonly [Envelope, Envelope] | null {
  if (end === undefined) return null;
  const pairs: (readonly [number, number])[] = [];
  for (let path: Path | null = end; path; path = path.before) if (path.pair) pairs.push(path.pair);
  return [Float64Array.from(pairs, ([heard]) => heard), Float64Array.from(pairs, ([, known]) => known)];
}

const meanOf = (envelope: Envelope): number => envelope.reduce((sum, level) => sum + level, 0) / envelope.length;
