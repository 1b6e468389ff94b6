import {
  agentEnvelopeSchema,
  agentVersionEnvelopeSchema,
  agentVersionListSchema,
  modelListSchema,
  type AgentBody,
  type AgentSettings,
} from '@outdial/contracts';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { agentQuery, agentsQuery } from '../../shared/account/queries.ts';
import { accountPath, queryString, request } from '../../shared/api/request.ts';

/** Creates an agent, or a new version of `base`. */
export function useSaveAgent(accountId: string, base?: Pick<AgentBody, 'id' | 'version'>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: AgentSettings) => {
      const target =
        base === undefined
          ? ({ method: 'POST', path: accountPath(accountId, 'agents'), body: { settings } } as const)
          : ({
              method: 'PATCH',
              path: accountPath(accountId, 'agents', base.id),
              body: { settings, base_version: base.version },
            } as const);
      return (await request({ ...target, schema: agentEnvelopeSchema })).agent;
    },
    // Nothing is awaited: the editor must handle the save before the new version remounts it.
    onSuccess: (agent) => {
      queryClient.setQueryData(agentQuery(accountId, agent.id).queryKey, agent);
      void queryClient.invalidateQueries({ queryKey: agentsQuery(accountId).queryKey, exact: true });
      void queryClient.invalidateQueries({ queryKey: versionsKey(accountId, agent.id) });
    },
  });
}

const versionsKey = (accountId: string, agentId: string) => [...agentQuery(accountId, agentId).queryKey, 'versions'];

/** The versions of an agent, newest first, page by page. */
export const versionsQuery = (accountId: string, agentId: string) =>
  infiniteQueryOptions({
    queryKey: versionsKey(accountId, agentId),
    queryFn: ({ pageParam, signal }) =>
      request({
        path: `${accountPath(accountId, 'agents', agentId, 'versions')}${queryString({ cursor: pageParam ?? undefined })}`,
        schema: agentVersionListSchema,
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: next }) => next,
  });

/** One version with its settings, which never change. */
export const versionQuery = (accountId: string, agentId: string, version: number) =>
  queryOptions({
    queryKey: [...versionsKey(accountId, agentId), version],
    queryFn: async ({ signal }) =>
      (
        await request({
          path: accountPath(accountId, 'agents', agentId, 'versions', String(version)),
          schema: agentVersionEnvelopeSchema,
          signal,
        })
      ).version,
    staleTime: Infinity,
  });

const PRICES_CHANGE_RARELY_MS = 60_000;

/** What the account's agents may use. */
export const modelsQuery = (accountId: string) =>
  queryOptions({
    queryKey: ['accounts', accountId, 'models'],
    queryFn: ({ signal }) => request({ path: accountPath(accountId, 'models'), schema: modelListSchema, signal }),
    staleTime: PRICES_CHANGE_RARELY_MS,
  });
