import type { CreateCallBody } from '@outdial/contracts';

/** One call that somebody wants to be placed, however often it is asked for. */
export interface Placement {
  readonly key: string;
  readonly body: CreateCallBody;
}

/**
 * What to send: under the key of the last attempt if the body is the same, so that a double click, or asking again after
 * an answer was lost, places one call. Another body is another call, and needs another key.
 */
export function nextPlacement(last: Placement | null, body: CreateCallBody, newKey: () => string): Placement {
  if (last !== null && canonical(last.body) === canonical(body)) return last;
  return { key: newKey(), body };
}

/** The same text for the same body, in whatever order its members were put. */
function canonical(body: CreateCallBody): string {
  const { variables = {}, ...rest } = body;
  return JSON.stringify([sorted(rest), sorted(variables)]);
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
