import { credentialListSchema, type CredentialBody } from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accountPath, queryString, request } from '../api/request.ts';
import { accountKey } from './queries.ts';

type CredentialPage = z.output<typeof credentialListSchema>;

/** The account's credentials of providers, oldest first. For owners. */
export const credentialsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'credentials'],
    queryFn: ({ signal }) => readCredentials(accountId, signal),
  });

/** Reads all credentials, page by page. An account has few. */
async function readCredentials(accountId: string, signal: AbortSignal): Promise<readonly CredentialBody[]> {
  const credentials: CredentialBody[] = [];
  let cursor: string | null = null;
  do {
    const query: string = queryString({ limit: 100, cursor: cursor ?? undefined });
    const path = `${accountPath(accountId, 'provider-credentials')}${query}`;
    const page: CredentialPage = await request({ path, schema: credentialListSchema, signal });
    credentials.push(...page.credentials);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return credentials;
}
