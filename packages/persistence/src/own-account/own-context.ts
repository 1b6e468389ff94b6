import type { AccountId } from '@outdial/contracts';
import type { AdministrationContext } from '../administration/audit.ts';

/** What every part of an account's own administration works with. */
export interface OwnContext extends AdministrationContext {
  readonly accountId: AccountId;
  readonly bounds: AccountBounds;
}

/** How many of each the account may have. */
export interface AccountBounds {
  readonly apiKeys: number;
  readonly agents: number;
}
