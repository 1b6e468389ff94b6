import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { useAccount } from '../session/account.ts';
import { sessionQuery } from '../session/session.ts';
import { drafts } from './draft-store.ts';

export interface Draft<Value> {
  /** The draft found when the form opened. Null: none. It does not change while the form is on screen. */
  readonly saved: Value | null;
  readonly save: (value: Value) => void;
  /** Call it once the form is saved or discarded. */
  readonly clear: () => void;
}

/** The draft of a form of the account, for this user in this tab. A stored value that does not match is ignored. */
export function useDraft<Value>(form: string, schema: z.ZodType<Value>): Draft<Value> {
  // Read once, without a subscription: when the session ends, the form must not fail before it unmounts.
  const queryClient = useQueryClient();
  const [userId] = useState(() => queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? '');
  const { account_id: accountId } = useAccount();
  const [saved] = useState(() => schema.safeParse(drafts.read({ userId, accountId, form })).data ?? null);
  return useMemo(() => {
    const key = { userId, accountId, form };
    return { saved, save: (value) => drafts.write(key, value), clear: () => drafts.remove(key) };
  }, [userId, accountId, form, saved]);
}
