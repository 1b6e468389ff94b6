import {
  callingPolicyEnvelopeSchema,
  callingPolicyVersionsSchema,
  type CallingPolicyBody,
  type CallingPolicySettings,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { callingPolicyKey, callingPolicyPath, callingPolicyQuery } from '../../shared/account/calling-policy.ts';
import { queryString, request } from '../../shared/api/request.ts';

type VersionPage = z.output<typeof callingPolicyVersionsSchema>;

const MOST_VERSIONS_A_PAGE = 100;

/** Every version of the policy, newest first, page by page. */
export const policyVersionsQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [...callingPolicyKey(accountId), 'versions'],
    queryFn: ({ pageParam, signal }) => readVersions(accountId, { cursor: pageParam ?? undefined }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });

/** One version, which never changes. Null: there is none. A version of null is not read. */
export const policyVersionQuery = (accountId: string, version: number | null) =>
  queryOptions({
    queryKey: [...callingPolicyKey(accountId), 'version', version],
    queryFn: ({ signal }) => findVersion(accountId, version, signal),
    enabled: version !== null,
    staleTime: Infinity,
  });

/** The service lists versions, and has no route for one: most are on the first page. */
async function findVersion(
  accountId: string,
  version: number | null,
  signal: AbortSignal,
): Promise<CallingPolicyBody | null> {
  let cursor: string | undefined;
  do {
    const page: VersionPage = await readVersions(accountId, { cursor, limit: MOST_VERSIONS_A_PAGE }, signal);
    const found = page.versions.find((candidate) => candidate.version === version);
    if (found !== undefined) return found;
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return null;
}

interface PageQuery {
  readonly cursor: string | undefined;
  readonly limit?: number;
}

function readVersions(accountId: string, { cursor, limit }: PageQuery, signal: AbortSignal): Promise<VersionPage> {
  return request({
    path: `${callingPolicyPath(accountId, 'versions')}${queryString({ cursor, limit })}`,
    schema: callingPolicyVersionsSchema,
    signal,
  });
}

/** Saves a new version, which is in force at once. */
export function useSavePolicy(accountId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: CallingPolicySettings) =>
      request({
        method: 'PUT',
        path: callingPolicyPath(accountId),
        body: settings,
        schema: callingPolicyEnvelopeSchema,
      }),
    // Nothing is awaited: the editor must handle the save before the new version remounts it.
    onSuccess: (saved) => {
      queryClient.setQueryData(callingPolicyQuery(accountId).queryKey, saved);
      void queryClient.invalidateQueries({ queryKey: callingPolicyKey(accountId) });
    },
  });
}
