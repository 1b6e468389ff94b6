import { callEnvelopeSchema, callEventListSchema, type CallBody, type CallEventBody } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../../shared/account/queries.ts';
import { accountPath, request } from '../../../shared/api/request.ts';

export interface CallKey {
  readonly accountId: string;
  readonly callId: string;
}

export const callPath = ({ accountId, callId }: CallKey, ...parts: readonly string[]) =>
  accountPath(accountId, 'outbound', 'calls', callId, ...parts);

export const callQuery = (key: CallKey) =>
  queryOptions({
    queryKey: [...accountKey(key.accountId), 'calls', 'one', key.callId],
    queryFn: async ({ signal }): Promise<CallBody> =>
      (await request({ path: callPath(key), schema: callEnvelopeSchema, signal })).call,
  });

export const callEventsQuery = (key: CallKey) =>
  queryOptions({
    queryKey: [...accountKey(key.accountId), 'calls', 'one', key.callId, 'events'],
    queryFn: async ({ signal }): Promise<readonly CallEventBody[]> =>
      (await request({ path: callPath(key, 'events'), schema: callEventListSchema, signal })).events,
    // Requested after the call has ended, when the timeline is final.
    staleTime: Infinity,
  });

/** The URL of the recording, authorized by the session. */
export function recordingHref({ accountId, callId }: CallKey): string {
  return `/api/dashboard${accountPath(accountId, 'calls', callId, 'recording')}`;
}

export function useEndCall(key: CallKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => request({ method: 'POST', path: callPath(key, 'end'), schema: callEnvelopeSchema }),
    onSuccess: ({ call }) => queryClient.setQueryData(callQuery(key).queryKey, call),
  });
}

/** Shows the note immediately, and reverts it if the save fails. */
export function useReviewNote(key: CallKey) {
  const queryClient = useQueryClient();
  const { queryKey } = callQuery(key);
  return useMutation({
    mutationFn: (note: string | null) =>
      request({ method: 'PATCH', path: callPath(key), body: { review_note: note }, schema: callEnvelopeSchema }),
    onMutate: async (note) => {
      // A response in flight would restore the old note.
      await queryClient.cancelQueries({ queryKey, exact: true });
      const before = queryClient.getQueryData(queryKey)?.review_note ?? null;
      queryClient.setQueryData(queryKey, (call) => call && { ...call, review_note: note });
      return { before };
    },
    onSuccess: ({ call }) => queryClient.setQueryData(queryKey, call),
    onError: (_error, _note, context) => {
      queryClient.setQueryData(queryKey, (call) => call && { ...call, review_note: context?.before ?? null });
      // Replaces the canceled request, which may have had more news than the note.
      void queryClient.invalidateQueries({ queryKey, exact: true });
    },
  });
}
