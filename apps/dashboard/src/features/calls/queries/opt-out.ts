import { suppressionEnvelopeSchema, type CallBody, type CallEventBody } from '@outdial/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { suppressionCheckQuery, suppressionsKey, type SuppressionCheck } from '../../../shared/account/suppressions.ts';
import { request } from '../../../shared/api/request.ts';
import { readNumber } from '../../../shared/forms/read-number.ts';
import { callPath, callQuery, type CallKey } from './call-query.ts';

/** Whether the number of a call is on a do-not-call list: asked again when the callee opts out. Null: not known yet. */
export function useNumberCheck(
  { accountId }: CallKey,
  call: CallBody | undefined,
  events: readonly CallEventBody[],
): SuppressionCheck | null {
  const optOuts = events.filter(({ type }) => type === 'opted_out').length;
  const number = call === undefined ? null : readNumber(call.callee_number);
  const { data } = useQuery({
    ...suppressionCheckQuery(accountId, number, optOuts),
    placeholderData: (before) => before,
  });
  return data ?? null;
}

/** Puts the number of the call on the do-not-call list, for good. Repeating it changes nothing. */
export function useOptOut(key: CallKey) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) =>
      request({
        method: 'POST',
        path: callPath(key, 'opt-out'),
        body: reason.trim() === '' ? {} : { reason },
        schema: suppressionEnvelopeSchema,
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: suppressionsKey(key.accountId) }),
        // The call and its timeline, which has the opt-out.
        queryClient.invalidateQueries({ queryKey: callQuery(key).queryKey }),
      ]),
  });
}
