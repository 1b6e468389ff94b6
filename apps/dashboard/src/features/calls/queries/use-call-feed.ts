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

/** Reload the list after this many new calls: a page that stays open must not grow forever. */
const MAX_GROWTH_CALLS = 1_000;

export interface CallFeed {
  readonly stream: StreamState;
  /** Records changes while pages load. */
  readonly recorder: ChangeRecorder;
}

/**
 * Keeps the list of calls current from the account's stream of changes. It writes only to the query cache: a component
 * that uses the feed without showing the list must not render with every change.
 */
export function useCallFeed(accountId: string, filters: CallFilters): CallFeed {
  const queryClient = useQueryClient();
  const queryKey = callListKey(accountId, filters);
  const [recorder] = useState(() => new ChangeRecorder());
  // One refresh at a time: each would cancel the previous one, and none would ever finish.
  const [refreshes] = useState(() => new OneAtATime());
  const refresh = () => void refreshes.run(() => queryClient.refetchQueries({ queryKey, exact: true, type: 'active' }));

  const addChange = useFrameBatch<ChangedCall>((changes) => {
    const list = queryClient.setQueryData<CallList>(
      queryKey,
      (known) => known && applyChanges(known, changes, filters),
    );
    if (list !== undefined && list.calls.length > list.loadedCalls + MAX_GROWTH_CALLS) refresh();
  });

  const stream = useEvents({
    path: accountPath(accountId, 'changes'),
    onEvent: (event) => {
      const change = parseChange(event);
      if (change === 'resync') refresh();
      if (change === null || change === 'resync') return;
      recorder.record(change);
      addChange(change);
    },
  });

  // The stream does not report changes from before it opened.
  const onLive = useEffectEvent(refresh);
  useEffect(() => {
    if (stream === 'live') onLive();
  }, [stream]);
  return { stream, recorder };
}

function isChangeEvent(type: string): type is ChangeEvent {
  return CHANGE_EVENTS.some((known) => known === type);
}

/** Null: an event that this version does not know. An unreadable change requires a refresh. */
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
