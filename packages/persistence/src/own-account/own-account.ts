import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { readFirstRun, setFirstRunDismissed, type FirstRun } from './first-run.ts';
import { listAccountAudit, type AuditPage, type AuditRecord } from '../read/list-audit.ts';
import { readOwnLedger, type LedgerPosition, type OwnLedgerRecord } from './ledger.ts';
import type { AccountBounds } from './own-context.ts';
import { ownAgents, type OwnAgents } from './own-agents.ts';
import { ownKeys, type OwnKeys } from './own-keys.ts';
import { ownNumbers, type OwnNumbers } from './own-numbers.ts';
import { ownRequests, type OwnRequests } from './own-requests.ts';
import { readSpend, type DayOfSpend } from './spend.ts';
import { readTotals, type StepBounds, type Totals } from './totals.ts';

/**
 * What an account's own people see and change of it. The account stands in every condition: what is another's is as
 * unknown as what never was. Changes are audited in the statements that make them.
 */
export interface OwnAccount {
  readonly keys: OwnKeys;
  readonly agents: OwnAgents;
  readonly numbers: OwnNumbers;
  readonly requests: OwnRequests;
  /** The first steps of the account, as a member of it sees them. */
  firstRun(userId: string): Promise<FirstRun>;
  setFirstRunDismissed(userId: string, isDismissed: boolean): Promise<void>;
  /** Who changed what, newest first. */
  audit(page: AuditPage): Promise<readonly AuditRecord[]>;
  /** Newest first; `before` is where the page before ended. */
  ledger(input: { readonly before?: LedgerPosition; readonly limit: number }): Promise<readonly OwnLedgerRecord[]>;
  /** The last 30 days by UTC date, the oldest first, today and days without calls among them. */
  spend(): Promise<readonly DayOfSpend[]>;
  /** Of the calls that ended between the first bound and the last, by step and reason, by agent, by caller number. */
  totals(bounds: StepBounds): Promise<Totals>;
}

export interface OwnAccountInput {
  readonly accountId: AccountId;
  /** Who is answerable for the changes: it stands in the audit. */
  readonly actor: string;
  readonly bounds: AccountBounds;
}

export function openOwnAccount(database: Database, { accountId, actor, bounds }: OwnAccountInput): OwnAccount {
  const context = { database, actor, accountId, bounds };
  return {
    keys: ownKeys(context),
    agents: ownAgents(context),
    numbers: ownNumbers(context),
    requests: ownRequests(context),
    firstRun: (userId) => readFirstRun(context, userId),
    setFirstRunDismissed: (userId, isDismissed) => setFirstRunDismissed(context, userId, isDismissed),
    audit: (page) => listAccountAudit(database, accountId, page),
    ledger: (input) => readOwnLedger(database, { accountId, ...input }),
    spend: () => readSpend(database, accountId),
    totals: (bounds) => readTotals(database, accountId, bounds),
  };
}
