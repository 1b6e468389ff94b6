import type { AccountId } from '@outdial/contracts';
import type { OwnAccount } from '@outdial/persistence';
import { actorOf, type MemberPrincipal } from '../http/principal.ts';

export interface OwnAccountDeps {
  /** Opens what the account's own people see and change of it. Costs nothing. */
  readonly openOwnAccount: (input: { readonly accountId: AccountId; readonly actor: string }) => OwnAccount;
}

/** The account of the request, changed in its sender's name. */
export function ownAccountOf({ openOwnAccount }: OwnAccountDeps, principal: MemberPrincipal): OwnAccount {
  return openOwnAccount({ accountId: principal.account.id, actor: actorOf(principal) });
}
