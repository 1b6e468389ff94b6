import { callEnvelopeSchema, type CallBody } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../../shared/account/queries.ts';
import { suppressionsKey } from '../../../shared/account/suppressions.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { accountPath, request } from '../../../shared/api/request.ts';
import type { Placement } from '../model/idempotency.ts';
import { callQuery } from './call-query.ts';

/** Places a call, or returns the one that was placed with the same key. */
export function usePlaceCall(accountId: string, onPlaced: (call: CallBody) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, body }: Placement) =>
      (
        await request({
          method: 'POST',
          path: accountPath(accountId, 'outbound', 'calls'),
          headers: { 'Idempotency-Key': key },
          body,
          schema: callEnvelopeSchema,
        })
      ).call,
    onSuccess: (call) => {
      queryClient.setQueryData(callQuery({ accountId, callId: call.id }).queryKey, call);
      // The call reserves funds and a slot.
      void queryClient.invalidateQueries({ queryKey: [...accountKey(accountId), 'account'] });
      onPlaced(call);
    },
    onError: (error) => {
      // The number was put on a list since the form looked.
      if (!(error instanceof ApiError) || error.code !== 'suppressed') return;
      void queryClient.invalidateQueries({ queryKey: suppressionsKey(accountId) });
    },
  });
}
