import type { CreateCallBody } from '@outdial/contracts';

/** One intended call, however often its request is sent. */
export interface Placement {
  readonly key: string;
  readonly body: CreateCallBody;
}

/**
 * The request to send. The same body reuses the last key, so that a double click, or a retry after a lost response,
 * places one call. Another body is another call and gets a new key.
 */
export function nextPlacement(last: Placement | null, body: CreateCallBody, newKey: () => string): Placement {
  if (last !== null && canonical(last.body) === canonical(body)) return last;
  return { key: newKey(), body };
}

/** The same text for the same body, whatever the order of its members. */
function canonical(body: CreateCallBody): string {
  const { variables = {}, ...rest } = body;
  return JSON.stringify([sorted(rest), sorted(variables)]);
}

function sorted(members: object): readonly (readonly [string, unknown])[] {
  return Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}
