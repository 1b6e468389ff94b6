import type { CallEventBody } from '@outdial/contracts';

/** Merges two timelines, each event once. Ids increase within a call. */
export function mergeEvents(known: readonly CallEventBody[], more: readonly CallEventBody[]): readonly CallEventBody[] {
  const byId = new Map<string, CallEventBody>();
  for (const event of [...known, ...more]) byId.set(event.id, event);
  return [...byId.values()].toSorted((one, other) => compareIds(one.id, other.id));
}

/** Compares integers as text: they may exceed a number's safe range. */
function compareIds(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
