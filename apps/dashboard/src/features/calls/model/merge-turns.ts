import type { LiveTurn } from '@outdial/contracts';

/** Adds turns to those that are known, each once. A stream that resumes may repeat some. */
export function mergeTurns(known: readonly LiveTurn[], more: readonly LiveTurn[]): readonly LiveTurn[] {
  const indexes = new Set(known.map(({ index }) => index));
  const fresh = more.filter(({ index }) => !indexes.has(index));
  return fresh.length === 0 ? known : [...known, ...fresh];
}
