import type { AccountId } from '@outdial/contracts';
import type { AdministrationContext } from '../administration/audit.ts';

/** Whose webhooks, and who changes them. */
export interface WebhookContext extends AdministrationContext {
  readonly accountId: AccountId;
}
