import { createRequest, listRequests, type AccountRequestRecord } from '../administration/account-requests.ts';
import type { OwnContext } from './own-context.ts';

/** Bounds how much an account can add to the operators' list. */
export const MAX_OPEN_REQUESTS = 5;
const MAX_LISTED = 50;

/** Requests of the account's owners to the operators. */
export interface OwnRequests {
  /** Open ones first, then newest first; at most 50. */
  list(): Promise<readonly AccountRequestRecord[]>;
  /** Null if the account has reached its maximum of open requests. */
  create(text: string): Promise<AccountRequestRecord | null>;
}

export function ownRequests(context: OwnContext): OwnRequests {
  const { accountId } = context;
  return {
    list: () => listRequests(context, accountId, MAX_LISTED),
    create: (text) => createRequest(context, { accountId, text, maxOpen: MAX_OPEN_REQUESTS }),
  };
}
