import type { CallEventBody } from '@outdial/contracts';

/** Both timelines as one, each event once. Ids rise within a call. */
export function mergeEvents(known: readonly CallEventBody[], more: readonly CallEventBody[]): readonly CallEventBody[] {
  const byId = new Map<string, CallEventBody>();
  for (const event of [...known, ...more]) byId.set(event.id, event);
  return [...byId.values()].toSorted((one, other) => compareIds(one.id, other.id));
}

/** Whole numbers as text, which may be larger than a number holds exactly. */
function compareIds(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length;
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
