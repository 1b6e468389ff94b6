import { CALL_STATUSES, type CallEventBody, type CallId, type CallStatus } from '@outdial/contracts';
import { pause, type Clock } from '@outdial/kernel';
import type { ApiClient } from './api-client.ts';

/** A call's entry into a state. */
export interface Move {
  readonly status: CallStatus;
  readonly atMs: number;
}

const POLL_MS = 150;

/** Yields every state of a call once and in order, until the call has ended or `signal` aborts. */
export async function* followCall(
  api: Pick<ApiClient, 'listEvents'>,
  id: CallId,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<Move> {
  let seen = 0;
  while (!signal.aborted) {
    const moves = movesOf(await api.listEvents(id));
    for (const move of moves.slice(seen)) {
      yield move;
      if (move.status === 'ended') return;
    }
    seen = moves.length;
    await pause(clock, POLL_MS, signal);
  }
}

function movesOf(events: readonly CallEventBody[]): readonly Move[] {
  return events.flatMap((event) => {
    const status = CALL_STATUSES.find((status) => status === event.type);
    return status === undefined ? [] : [{ status, atMs: Date.parse(event.at) }];
  });
}
