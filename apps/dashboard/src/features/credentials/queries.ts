import {
  checkedCredentialSchema,
  credentialEnvelopeSchema,
  secretEnvelopeSchema,
  secretListSchema,
  type createCredentialSchema,
  type updateCredentialSchema,
} from '@outdial/contracts';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { credentialsQuery } from '../../shared/account/credentials.ts';
import { accountKey } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';

const NO_CONTENT = z.object({});
/** Keys and values are in the variables of a mutation: drop them as soon as its dialog unmounts. */
const NOT_KEPT = { gcTime: 0 } as const;

const credentialPath = (accountId: string, ...parts: readonly string[]) =>
  accountPath(accountId, 'provider-credentials', ...parts);

/** Reads the credentials again after every change, and after a check. */
function useCredentialMutation<Variables, Result>(
  accountId: string,
  mutationFn: (variables: Variables) => Promise<Result>,
) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: credentialsQuery(accountId).queryKey }),
    ...NOT_KEPT,
  });
}

export const useCreateCredential = (accountId: string) =>
  useCredentialMutation(accountId, (body: z.input<typeof createCredentialSchema>) =>
    request({ method: 'POST', path: credentialPath(accountId), body, schema: credentialEnvelopeSchema }),
  );

export const useSetLimits = (accountId: string) =>
  useCredentialMutation(
    accountId,
    ({ id, limits }: { readonly id: string; readonly limits: z.input<typeof updateCredentialSchema> }) =>
      request({
        method: 'PATCH',
        path: credentialPath(accountId, id),
        body: limits,
        schema: credentialEnvelopeSchema,
      }),
  );

export const useRotateCredential = (accountId: string) =>
  useCredentialMutation(accountId, ({ id, apiKey }: { readonly id: string; readonly apiKey: string }) =>
    request({
      method: 'POST',
      path: credentialPath(accountId, id, 'rotate'),
      body: { api_key: apiKey },
      schema: credentialEnvelopeSchema,
    }),
  );

export const useDeleteCredential = (accountId: string) =>
  useCredentialMutation(accountId, (id: string) =>
    request({ method: 'DELETE', path: credentialPath(accountId, id), schema: NO_CONTENT }),
  );

/** An empty model: the key alone is checked. */
export const useCheckCredential = (accountId: string) =>
  useCredentialMutation(accountId, ({ id, model }: { readonly id: string; readonly model: string }) =>
    request({
      method: 'POST',
      path: `${credentialPath(accountId, id, 'check')}${queryString({ model })}`,
      schema: checkedCredentialSchema,
    }),
  );

export const secretsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'secrets'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'secrets'), schema: secretListSchema, signal })).secrets,
  });

export function useSetSecret(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value }: { readonly name: string; readonly value: string }) =>
      request({
        method: 'PUT',
        path: accountPath(accountId, 'secrets', name),
        body: { value },
        schema: secretEnvelopeSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: secretsQuery(accountId).queryKey }),
    ...NOT_KEPT,
  });
}

export function useDeleteSecret(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      request({ method: 'DELETE', path: accountPath(accountId, 'secrets', name), schema: NO_CONTENT }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: secretsQuery(accountId).queryKey }),
  });
}
