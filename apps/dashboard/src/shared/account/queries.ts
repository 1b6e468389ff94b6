import { accountEnvelopeSchema, agentEnvelopeSchema, agentListSchema, phoneNumberListSchema } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { accountPath, request } from '../api/request.ts';

/** Everything that belongs to an account lies below this key: leaving the account forgets it at once. */
export const accountKey = (accountId: string) => ['accounts', accountId] as const;

/** Wallet and capacity. */
export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'account'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'account'), answer: accountEnvelopeSchema, signal })).account,
  });

export const agentsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'agents'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'agents'), answer: agentListSchema, signal })).agents,
  });

export const agentQuery = (accountId: string, agentId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'agents', agentId],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'agents', agentId), answer: agentEnvelopeSchema, signal })).agent,
  });

export const phoneNumbersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'phone-numbers'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'phone-numbers'), answer: phoneNumberListSchema, signal }))
        .phone_numbers,
  });
