import { agentVersionEnvelopeSchema, instructionEnvelopeSchema, type CallBody } from '@outdial/contracts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { agentQuery } from '../../../shared/account/queries.ts';
import { accountPath, request } from '../../../shared/api/request.ts';
import { callPath, type CallKey } from './call-query.ts';

/** Whether a model conducts the call. False until that is known, and for an agent that the account does not own. */
export function useHasModel({ accountId }: CallKey, { agent_id: agentId, agent_version: version }: CallBody): boolean {
  const { data } = useQuery({
    queryKey: [...agentQuery(accountId, agentId).queryKey, 'driver', version],
    queryFn: async ({ signal }) => {
      const path = accountPath(accountId, 'agents', agentId, 'versions', String(version));
      const { settings } = (await request({ path, schema: agentVersionEnvelopeSchema, signal })).version;
      return settings?.driver ?? 'scripted';
    },
    staleTime: Infinity,
  });
  return data !== undefined && data !== 'scripted';
}

/** Resolves once the model of the call has it. */
export function useInstruct(key: CallKey) {
  return useMutation({
    mutationFn: (text: string) =>
      request({
        method: 'POST',
        path: callPath(key, 'instructions'),
        body: { text },
        schema: instructionEnvelopeSchema,
      }),
  });
}
