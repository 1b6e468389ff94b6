import type { AccountId } from '@outdial/contracts';
import type { OwnAccount } from '@outdial/persistence';
import { actorOf, type AccountPrincipal } from './principal.ts';

export interface OwnAccountDeps {
  /** Opens the account for its members and keys. Cheap. */
  readonly openOwnAccount: (input: { readonly accountId: AccountId; readonly actor: string }) => OwnAccount;
}

/** The account of the request, in its sender's name. */
export function ownAccountOf({ openOwnAccount }: OwnAccountDeps, principal: AccountPrincipal): OwnAccount {
  return openOwnAccount({ accountId: principal.account.id, actor: actorOf(principal) });
}
