import {
  accountEnvelopeSchema,
  agentEnvelopeSchema,
  agentListSchema,
  phoneNumberListSchema,
  type AgentSummaryBody,
} from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import { accountPath, queryString, request } from '../api/request.ts';

type AgentPage = z.output<typeof agentListSchema>;

/** The prefix of every query of an account, so that leaving the account can drop them all at once. */
export const accountKey = (accountId: string) => ['accounts', accountId] as const;

/** Wallet and capacity. */
export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'account'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'account'), schema: accountEnvelopeSchema, signal })).account,
  });

export const agentsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'agents'],
    queryFn: ({ signal }) => readAgents(accountId, signal),
  });

/** Reads all agents, page by page. An account has at most 100 unless its operator allows more. */
async function readAgents(accountId: string, signal: AbortSignal): Promise<readonly AgentSummaryBody[]> {
  const agents: AgentSummaryBody[] = [];
  let cursor: string | null = null;
  do {
    const path: string = `${accountPath(accountId, 'agents')}${queryString({ limit: 100, cursor: cursor ?? undefined })}`;
    const page: AgentPage = await request({ path, schema: agentListSchema, signal });
    agents.push(...page.agents);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return agents;
}

export const agentQuery = (accountId: string, agentId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'agents', agentId],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'agents', agentId), schema: agentEnvelopeSchema, signal })).agent,
  });

export const phoneNumbersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...accountKey(accountId), 'phone-numbers'],
    queryFn: async ({ signal }) =>
      (await request({ path: accountPath(accountId, 'phone-numbers'), schema: phoneNumberListSchema, signal }))
        .phone_numbers,
  });
