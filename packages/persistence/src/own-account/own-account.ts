import type { AccountId } from '@outdial/contracts';
import { administerWallets, type LedgerRecord } from '../administration/wallets.ts';
import type { Database } from '../database.ts';
import { readFirstRun, setFirstRunDismissed, type FirstRun } from './first-run.ts';
import { listAccountAudit, type AuditPage, type AuditRecord } from '../read/list-audit.ts';
import { ownAgents, type OwnAgents } from './own-agents.ts';
import { ownKeys, type OwnKeys } from './own-keys.ts';
import { ownNumbers, type OwnNumbers } from './own-numbers.ts';
import { readSpend, type DayOfSpend } from './spend.ts';

/**
 * What an account's own people see and change of it. The account stands in every condition: what is another's is as
 * unknown as what never was. Changes are audited in the statements that make them.
 */
export interface OwnAccount {
  readonly keys: OwnKeys;
  readonly agents: OwnAgents;
  readonly numbers: OwnNumbers;
  /** The first steps of the account, as a member of it sees them. */
  firstRun(userId: string): Promise<FirstRun>;
  setFirstRunDismissed(userId: string, isDismissed: boolean): Promise<void>;
  /** Who changed what, newest first. */
  audit(page: AuditPage): Promise<readonly AuditRecord[]>;
  /** Newest first; `before` is the id of the last entry of the page before. */
  ledger(input: { readonly before?: string; readonly limit: number }): Promise<readonly LedgerRecord[]>;
  /** The last 30 days by UTC date, the oldest first, today and days without calls among them. */
  spend(): Promise<readonly DayOfSpend[]>;
}

export interface OwnAccountInput {
  readonly accountId: AccountId;
  /** Who is answerable for the changes: it stands in the audit. */
  readonly actor: string;
}

export function openOwnAccount(database: Database, { accountId, actor }: OwnAccountInput): OwnAccount {
  const context = { database, actor, accountId };
  return {
    keys: ownKeys(context),
    agents: ownAgents(context),
    numbers: ownNumbers(context),
    firstRun: (userId) => readFirstRun(context, userId),
    setFirstRunDismissed: (userId, isDismissed) => setFirstRunDismissed(context, userId, isDismissed),
    audit: (page) => listAccountAudit(database, accountId, page),
    ledger: (input) => administerWallets(context).ledger({ accountId, ...input }),
    spend: () => readSpend(database, accountId),
  };
}
