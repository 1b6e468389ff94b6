import { phoneNumberEnvelopeSchema } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { phoneNumbersQuery } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

interface NumberChange {
  readonly id: string;
  readonly body: { readonly outbound_enabled: boolean } | { readonly is_default: true };
}

export function useUpdateNumber(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: NumberChange) =>
      request({
        method: 'PATCH',
        path: accountPath(accountId, 'phone-numbers', id),
        body,
        schema: phoneNumberEnvelopeSchema,
      }),
    // Another number may no longer be the default, so refetch all.
    onSettled: () => queryClient.invalidateQueries({ queryKey: phoneNumbersQuery(accountId).queryKey }),
  });
}
