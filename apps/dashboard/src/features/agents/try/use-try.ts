import { tryEnvelopeSchema, tryEventSchema, type CreateTryBody, type TryBody } from '@outdial/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountKey } from '../../../shared/account/queries.ts';
import { accountPath, request } from '../../../shared/api/request.ts';
import { useEvents } from '../../../shared/events/use-events.ts';
import { NEW_TRY, withEvent } from './try-lines.ts';

/** A conversation with an agent, whatever its medium: what was said so far, and what the person does. */
export function useTry(accountId: string, agentId: string, onEnded: () => void) {
  const queryClient = useQueryClient();
  const [current, setCurrent] = useState<TryBody | null>(null);
  const [state, setState] = useState(NEW_TRY);
  const pathOf = (...parts: readonly string[]) => accountPath(accountId, 'agents', agentId, 'try', ...parts);
  const isLive = current !== null && state.endedReason === null;
  useEvents({
    path: isLive ? pathOf(current.id, 'events') : null,
    onEvent: ({ data }) => {
      const event = tryEventSchema.safeParse(JSON.parse(data));
      if (!event.success) return;
      setState((before) => withEvent(before, event.data));
      // The balance and the ledger have changed.
      if (event.data.type !== 'ended') return;
      onEnded();
      for (const what of ['account', 'ledger']) {
        void queryClient.invalidateQueries({ queryKey: [...accountKey(accountId), what] });
      }
    },
  });
  const start = useMutation({
    mutationFn: async (body: CreateTryBody) =>
      (await request({ method: 'POST', path: pathOf(), body, schema: tryEnvelopeSchema })).try,
    onSuccess: (begun) => {
      setState(NEW_TRY);
      setCurrent(begun);
    },
  });
  const say = useMutation({
    mutationFn: (text: string) =>
      request({
        method: 'POST',
        path: pathOf(current?.id ?? '', 'messages'),
        body: { text },
        schema: tryEnvelopeSchema,
      }),
  });
  const end = useMutation({
    mutationFn: (tryId: string) => request({ method: 'POST', path: pathOf(tryId, 'end'), schema: tryEnvelopeSchema }),
  });
  return { current, state, isLive, pathOf, start, say, end };
}
