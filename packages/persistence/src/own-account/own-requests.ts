import { createRequest, listRequests, type AccountRequestRecord } from '../administration/account-requests.ts';
import type { OwnContext } from './own-context.ts';

/** Bounds what one account can put into the operators' list. */
export const MAX_OPEN_REQUESTS = 5;
const MAX_LISTED = 50;

/** What the account's owners ask the operators for. */
export interface OwnRequests {
  /** The open ones first, then the newest first; the last 50. */
  list(): Promise<readonly AccountRequestRecord[]>;
  /** Null: the account has as many open requests as it may have. */
  create(text: string): Promise<AccountRequestRecord | null>;
}

export function ownRequests(context: OwnContext): OwnRequests {
  const { accountId } = context;
  return {
    list: () => listRequests(context, accountId, MAX_LISTED),
    create: (text) => createRequest(context, { accountId, text, maxOpen: MAX_OPEN_REQUESTS }),
  };
}
