import { callEventSchema, liveTurnSchema, type CallBody, type CallEventBody, type LiveTurn } from '@outdial/contracts';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { ZodType } from 'zod';
import { useEvents } from '../../../shared/events/use-events.ts';
import { mergeEvents } from '../model/merge-events.ts';
import { mergeTurns } from '../model/merge-turns.ts';
import { callEventsQuery, callPath, callQuery, type CallKey } from './call-query.ts';
import { useFrameBatch } from './frame-batch.ts';

/** Polls while the stream is down, and while the recording of an ended call is being saved or the call analyzed. */
const POLL_MS = 3_000;
const NO_EVENTS: readonly CallEventBody[] = [];
const NO_TURNS: readonly LiveTurn[] = [];

export interface LiveCall {
  readonly query: UseQueryResult<CallBody>;
  readonly events: readonly CallEventBody[];
  /** What has been said so far, until the call has ended and has its transcript. */
  readonly turns: readonly LiveTurn[];
}

/** A call's current state and its timeline, updated event by event until the call ends. */
export function useLiveCall(key: CallKey): LiveCall {
  const [streamed, setStreamed] = useState(NO_EVENTS);
  const [said, setSaid] = useState(NO_TURNS);
  const [isDown, setIsDown] = useState(false);
  const query = useQuery({
    ...callQuery(key),
    refetchInterval: ({ state: { data } }) => {
      if (data === undefined) return false;
      if (data.status === 'ended') return isUnfinished(data) ? POLL_MS : false;
      return isDown ? POLL_MS : false;
    },
  });
  const isOpen = query.data !== undefined && query.data.status !== 'ended';
  const isEnded = query.data?.status === 'ended';

  const addEvent = useFrameBatch<CallEventBody>((events) => {
    setStreamed((known) => mergeEvents(known, [...events.values()]));
    // Each event changes the call; one refetch covers the batch.
    if (isOpen) void query.refetch();
  });
  const addTurn = useFrameBatch<Said>((turns) => {
    setSaid((known) =>
      mergeTurns(
        known,
        [...turns.values()].map(({ turn }) => turn),
      ),
    );
  });
  const stream = useEvents({
    path: isOpen ? callPath(key, 'events') : null,
    onEvent: ({ type, data }) => {
      if (type === 'turn') {
        const turn = parse(liveTurnSchema, data);
        if (turn !== null) addTurn({ id: String(turn.index), turn });
        return;
      }
      const event = parse(callEventSchema, data);
      if (event !== null) addEvent(event);
    },
  });
  const isStreamDown = isOpen && stream !== 'live';
  if (isStreamDown !== isDown) setIsDown(isStreamDown);

  const ended = callEventsQuery(key);
  // The analysis adds an event after the end.
  const queryKey = [...ended.queryKey, query.data?.analysis_status ?? ''];
  const past = useQuery({ ...ended, queryKey, enabled: isEnded });
  const events = past.data === undefined ? streamed : mergeEvents(streamed, past.data);
  return { query, events, turns: said };
}

function isUnfinished(call: CallBody): boolean {
  return call.recording_status === 'pending' || call.analysis_status === 'pending';
}

interface Said {
  readonly id: string;
  readonly turn: LiveTurn;
}

/** Null: an event that this version does not know. */
function parse<Body>(schema: ZodType<Body>, data: string): Body | null {
  try {
    return schema.safeParse(JSON.parse(data)).data ?? null;
  } catch {
    return null;
  }
}
