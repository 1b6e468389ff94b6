import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { z } from 'zod';
import { useAccount } from '../session/account.ts';
import { sessionQuery } from '../session/session.ts';
import { drafts } from './draft-store.ts';

export interface Draft<Value> {
  /** What was written before; null: nothing. It stays the same while the form is on screen. */
  readonly kept: Value | null;
  readonly keep: (value: Value) => void;
  /** Once it is saved, or thrown away. */
  readonly forget: () => void;
}

/** The draft of a form of the account, for this user in this tab. What the schema does not take is no draft. */
export function useDraft<Value>(form: string, schema: z.ZodType<Value>): Draft<Value> {
  // Read once and not followed: a form whose session ends is taken off the page, and must not fail before that.
  const queryClient = useQueryClient();
  const [userId] = useState(() => queryClient.getQueryData(sessionQuery.queryKey)?.user.id ?? '');
  const { account_id: accountId } = useAccount();
  const [kept] = useState(() => schema.safeParse(drafts.read({ userId, accountId, form })).data ?? null);
  return useMemo(() => {
    const key = { userId, accountId, form };
    return { kept, keep: (value) => drafts.write(key, value), forget: () => drafts.remove(key) };
  }, [userId, accountId, form, kept]);
}
