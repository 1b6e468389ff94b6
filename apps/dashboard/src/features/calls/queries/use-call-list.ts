import { CHANGE_EVENTS, changedCallSchema, type ChangedCall, type ChangeEvent } from '@outdial/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { accountKey } from '../../../shared/account/queries.ts';
import { accountPath } from '../../../shared/api/request.ts';
import type { StreamState } from '../../../shared/events/follow-events.ts';
import type { StreamEvent } from '../../../shared/events/parse-events.ts';
import { useEvents } from '../../../shared/events/use-events.ts';
import { filterParams, type CallFilters } from '../model/call-filters.ts';
import { appendPage, applyChanges, type CallList } from '../model/call-list.ts';
import { ChangeRecorder } from '../model/change-recorder.ts';
import { useFrameBatch } from './frame-batch.ts';
import { PAGE_CALLS, readCalls, readPage } from './read-calls.ts';

/** New calls beyond what was loaded, from which on the list is read again: a page left open must not grow for ever. */
const MOST_GROWTH_CALLS = 1_000;

export interface LiveCallList {
  /** Undefined: not read yet. */
  readonly list: CallList | undefined;
  readonly error: Error | null;
  readonly stream: StreamState;
  readonly readAgain: () => void;
  readonly loadMore: () => void;
  readonly isLoadingMore: boolean;
  readonly loadMoreError: Error | null;
}

/** The account's calls as they now are: pages of the list, kept current by the account's stream of changes. */
export function useCallList(accountId: string, filters: CallFilters): LiveCallList {
  const queryClient = useQueryClient();
  const queryKey = [...accountKey(accountId), 'calls', 'list', filterParams(filters).toString()];
  const [recorder] = useState(() => new ChangeRecorder());

  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const loaded = queryClient.getQueryData<CallList>(queryKey)?.loadedCalls ?? 0;
      return readCalls({ accountId, filters, wanted: Math.max(loaded, PAGE_CALLS), recorder, signal });
    },
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });

  const addChange = useFrameBatch<ChangedCall>((changes) => {
    const list = queryClient.setQueryData<CallList>(
      queryKey,
      (known) => known && applyChanges(known, changes, filters),
    );
    if (list !== undefined && list.calls.length > list.loadedCalls + MOST_GROWTH_CALLS) void refetch();
  });

  const stream = useEvents({
    path: accountPath(accountId, 'changes'),
    onEvent: (event) => {
      const change = parseChange(event);
      if (change === 'resync') void refetch();
      if (change === null || change === 'resync') return;
      recorder.record(change);
      addChange(change);
    },
  });

  // What changed before the stream was open, nobody told.
  useEffect(() => {
    if (stream === 'live') void refetch();
  }, [stream, refetch]);

  const more = useMutation({
    mutationFn: async (cursor: string) => {
      const { value: page, changes } = await recorder.during(() => readPage({ accountId, filters, cursor }));
      queryClient.setQueryData<CallList>(queryKey, (known) =>
        // Read again in the meantime: the page may not join on to it.
        known?.nextCursor === cursor ? appendPage(known, page, changes, filters) : known,
      );
    },
  });

  return {
    list: data,
    error,
    stream,
    readAgain: () => void refetch(),
    loadMore: () => {
      if (data !== undefined && data.nextCursor !== null && !more.isPending) more.mutate(data.nextCursor);
    },
    isLoadingMore: more.isPending,
    loadMoreError: more.error,
  };
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
