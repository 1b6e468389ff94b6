import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallFilters } from '../model/call-filters.ts';
import { appendPage, type CallList } from '../model/call-list.ts';
import type { ChangeRecorder } from '../model/change-recorder.ts';
import { callListKey, PAGE_CALLS, readCalls, readPage } from './read-calls.ts';

export interface LiveCallList {
  /** Undefined: not loaded yet. */
  readonly list: CallList | undefined;
  readonly error: Error | null;
  readonly refresh: () => void;
  readonly loadMore: () => void;
  readonly isLoadingMore: boolean;
  readonly loadMoreError: Error | null;
}

/** The account's calls, page by page. The feed that owns `recorder` keeps them current. */
export function useCallList(accountId: string, filters: CallFilters, recorder: ChangeRecorder): LiveCallList {
  const queryClient = useQueryClient();
  const queryKey = callListKey(accountId, filters);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const loaded = queryClient.getQueryData<CallList>(queryKey)?.loadedCalls ?? 0;
      return readCalls({ accountId, filters, wanted: Math.max(loaded, PAGE_CALLS), recorder, signal });
    },
    // Refetch when the list is shown again: the feed updates it only while it is on screen.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

  const more = useMutation({
    mutationFn: async (cursor: string) => {
      const { value: page, changes } = await recorder.during(() => readPage({ accountId, filters, cursor }));
      queryClient.setQueryData<CallList>(queryKey, (known) =>
        // After a refresh the page may not continue the list.
        known?.nextCursor === cursor ? appendPage(known, page, changes, filters) : known,
      );
    },
  });

  return {
    list: data,
    error,
    refresh: () => void refetch(),
    loadMore: () => {
      if (data !== undefined && data.nextCursor !== null && !more.isPending) more.mutate(data.nextCursor);
    },
    isLoadingMore: more.isPending,
    loadMoreError: more.error,
  };
}
