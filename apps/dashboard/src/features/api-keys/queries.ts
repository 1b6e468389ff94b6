import { apiKeyEnvelopeSchema, apiKeyListSchema, createdApiKeySchema } from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

export const apiKeysQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'api-keys'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'api-keys'), schema: apiKeyListSchema, signal })).api_keys,
  });

interface NewApiKey {
  readonly name: string;
  readonly expires_at: string | null;
}

/** The response has the key's value, which only the dialog receives; no cache stores it. */
export function useCreateApiKey(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApiKey) =>
      request({ method: 'POST', path: accountPath(accountId, 'api-keys'), body, schema: createdApiKeySchema }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(accountId).queryKey }),
    // Drop the response as soon as the dialog unmounts.
    gcTime: 0,
  });
}

export function useRevokeApiKey(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (keyId: string) =>
      request({
        method: 'POST',
        path: accountPath(accountId, 'api-keys', keyId, 'revoke'),
        schema: apiKeyEnvelopeSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysQuery(accountId).queryKey }),
  });
}
