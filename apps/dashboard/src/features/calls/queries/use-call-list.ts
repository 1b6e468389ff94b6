import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CallFilters } from '../model/call-filters.ts';
import { appendPage, type CallList } from '../model/call-list.ts';
import type { ChangeRecorder } from '../model/change-recorder.ts';
import { callListKey, PAGE_CALLS, readCalls, readPage } from './read-calls.ts';

export interface LiveCallList {
  /** Undefined: not read yet. */
  readonly list: CallList | undefined;
  readonly error: Error | null;
  readonly readAgain: () => void;
  readonly loadMore: () => void;
  readonly isLoadingMore: boolean;
  readonly loadMoreError: Error | null;
}

/** The account's calls, page by page; the feed whose recorder this is keeps them current. */
export function useCallList(accountId: string, filters: CallFilters, recorder: ChangeRecorder): LiveCallList {
  const queryClient = useQueryClient();
  const queryKey = callListKey(accountId, filters);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const loaded = queryClient.getQueryData<CallList>(queryKey)?.loadedCalls ?? 0;
      return readCalls({ accountId, filters, wanted: Math.max(loaded, PAGE_CALLS), recorder, signal });
    },
    // Once it is shown again: while other filters were chosen, nobody told it what changed. While it is shown the feed does.
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

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
    readAgain: () => void refetch(),
    loadMore: () => {
      if (data !== undefined && data.nextCursor !== null && !more.isPending) more.mutate(data.nextCursor);
    },
    isLoadingMore: more.isPending,
    loadMoreError: more.error,
  };
}
