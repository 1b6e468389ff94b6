import { agentEnvelopeSchema, type AgentSettings } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { agentQuery, agentsQuery } from '../../shared/account/queries.ts';
import { accountPath, request } from '../../shared/api/request.ts';

/** Makes an agent, or with an id a new version of it. */
export function useSaveAgent(accountId: string, agentId?: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (settings: AgentSettings) => {
      const target =
        agentId === undefined
          ? ({ method: 'POST', path: accountPath(accountId, 'agents') } as const)
          : ({ method: 'PUT', path: accountPath(accountId, 'agents', agentId) } as const);
      return (await request({ ...target, body: { settings }, answer: agentEnvelopeSchema })).agent;
    },
    onSuccess: async (agent) => {
      queryClient.setQueryData(agentQuery(accountId, agent.id).queryKey, agent);
      await queryClient.invalidateQueries({ queryKey: agentsQuery(accountId).queryKey, exact: true });
    },
  });
}
