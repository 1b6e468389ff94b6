import { invalidRequest } from '../../http/api-error.ts';
import { headerOf } from '../../http/header.ts';

/** How much of a call's stream a client has. */
export interface StreamPosition {
  /** Id of the last event of the timeline; null: none. */
  readonly eventId: string | null;
  /** Index of the first turn that it lacks. */
  readonly fromIndex: number;
}

/** An id of the version before may also count the turns: `4711-3`. */
const EVENT = /^(\d{1,19})(?:-(\d{1,6}))?$/;
const INDEX = /^\d{1,6}$/;

/**
 * Turns have their own header: an id that named them too would be unknown to the version before, which answers 400 to
 * what is no id of an event. A client without the header receives all turns again, each with its index.
 *
 * @throws ApiError
 */
export function positionOf(rawHeaders: readonly string[]): StreamPosition {
  const [lastEventId, lastTurn] = [headerOf(rawHeaders, 'Last-Event-ID'), headerOf(rawHeaders, 'Last-Turn-Index')];
  if (lastTurn !== null && !INDEX.test(lastTurn)) {
    throw invalidRequest([{ param: 'Last-Turn-Index', message: 'must be the index of a turn' }]);
  }
  const [, eventId = lastEventId, turns = '0'] = EVENT.exec(lastEventId ?? '') ?? [];
  return { eventId, fromIndex: lastTurn === null ? Number(turns) : Number(lastTurn) + 1 };
}
