import type { AccountId } from '@outdial/contracts';
import type { AdministrationContext } from '../administration/audit.ts';

/** Shared context of an account's own administration. */
export interface OwnContext extends AdministrationContext {
  readonly accountId: AccountId;
  readonly bounds: AccountBounds;
  /** A campaign has more to do, or less, from now on. */
  readonly onCampaignChanged?: (() => void) | undefined;
}

/** Maximums per account. */
export interface AccountBounds {
  readonly apiKeys: number;
  readonly agents: number;
  readonly credentials: number;
  readonly secrets: number;
}
