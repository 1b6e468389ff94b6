import { CHANGE_EVENTS, changedCallSchema, type ChangedCall, type ChangeEvent } from '@outdial/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { accountPath } from '../../../shared/api/request.ts';
import type { StreamState } from '../../../shared/events/follow-events.ts';
import type { StreamEvent } from '../../../shared/events/parse-events.ts';
import { useEvents } from '../../../shared/events/use-events.ts';
import type { CallFilters } from '../model/call-filters.ts';
import { applyChanges, type CallList } from '../model/call-list.ts';
import { ChangeRecorder } from '../model/change-recorder.ts';
import { useFrameBatch } from './frame-batch.ts';
import { OneAtATime } from './one-at-a-time.ts';
import { callListKey } from './read-calls.ts';

/** New calls beyond what was loaded, from which on the list is read again: a page left open must not grow for ever. */
const MOST_GROWTH_CALLS = 1_000;

export interface CallFeed {
  readonly stream: StreamState;
  /** Has what is told while pages are on their way. */
  readonly recorder: ChangeRecorder;
}

/**
 * Keeps the list of calls current by the account's stream of changes. It writes to the store of queries alone: whoever
 * follows the feed and does not show the list is not rendered fifty times a second.
 */
export function useCallFeed(accountId: string, filters: CallFilters): CallFeed {
  const queryClient = useQueryClient();
  const queryKey = callListKey(accountId, filters);
  const [recorder] = useState(() => new ChangeRecorder());
  // One reading after the other: each would cancel the one before, and none would ever arrive.
  const [readings] = useState(() => new OneAtATime());
  const readAgain = () =>
    void readings.run(() => queryClient.refetchQueries({ queryKey, exact: true, type: 'active' }));

  const addChange = useFrameBatch<ChangedCall>((changes) => {
    const list = queryClient.setQueryData<CallList>(
      queryKey,
      (known) => known && applyChanges(known, changes, filters),
    );
    if (list !== undefined && list.calls.length > list.loadedCalls + MOST_GROWTH_CALLS) readAgain();
  });

  const stream = useEvents({
    path: accountPath(accountId, 'changes'),
    onEvent: (event) => {
      const change = parseChange(event);
      if (change === 'resync') readAgain();
      if (change === null || change === 'resync') return;
      recorder.record(change);
      addChange(change);
    },
  });

  // What changed before the stream was open, nobody told.
  const onLive = useEffectEvent(readAgain);
  useEffect(() => {
    if (stream === 'live') onLive();
  }, [stream]);
  return { stream, recorder };
}

function isChangeEvent(type: string): type is ChangeEvent {
  return CHANGE_EVENTS.some((known) => known === type);
}

/** Null: nothing that this page knows. A change it cannot read is one it must look up. */
function parseChange({ type, data }: StreamEvent): ChangedCall | 'resync' | null {
  if (!isChangeEvent(type)) return null;
  if (type === 'resync') return 'resync';
  try {
    const parsed = changedCallSchema.safeParse(JSON.parse(data));
    return parsed.success ? parsed.data : 'resync';
  } catch {
    return 'resync';
  }
}
