import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { readFirstRun, setFirstRunDismissed, type FirstRun } from './first-run.ts';
import { ownCallingPolicy, type OwnCallingPolicy } from './own-calling-policy.ts';
import { ownSuppressions, type OwnSuppressions } from './own-suppressions.ts';
import type { CommitHook } from '../group-commit.ts';
import { listAccountAudit, type AuditPage, type AuditRecord } from '../read/list-audit.ts';
import { readOwnLedger, type LedgerPosition, type OwnLedgerRecord } from './ledger.ts';
import type { AccountBounds } from './own-context.ts';
import { dismissNotice, listNotices, type NoticeRecord } from './notices.ts';
import { ownAgents, type OwnAgents } from './own-agents.ts';
import { ownCampaigns, type OwnCampaigns } from './own-campaigns.ts';
import { ownCredentials, ownSecrets, type OwnCredentials, type OwnSecrets } from './own-credentials.ts';
import { ownKeys, type OwnKeys } from './own-keys.ts';
import { ownInstructions, type OwnInstructions } from './own-instructions.ts';
import { ownMonitors, type OwnMonitors } from './own-monitors.ts';
import { ownNumbers, type OwnNumbers } from './own-numbers.ts';
import { ownRequests, type OwnRequests } from './own-requests.ts';
import { ownUploads, type OwnUploads } from './own-uploads.ts';
import { readSpend, type DayOfSpend } from './spend.ts';
import { readTotals, type StepBounds, type Totals } from './totals.ts';

/**
 * What the members of an account see and change of it. The account is part of every condition: another account's data is
 * unknown, like data that never existed. Changes are audited by the statements that make them.
 */
export interface OwnAccount {
  readonly keys: OwnKeys;
  readonly agents: OwnAgents;
  readonly numbers: OwnNumbers;
  readonly requests: OwnRequests;
  readonly credentials: OwnCredentials;
  readonly secrets: OwnSecrets;
  readonly suppressions: OwnSuppressions;
  readonly callingPolicy: OwnCallingPolicy;
  readonly campaigns: OwnCampaigns;
  readonly uploads: OwnUploads;
  readonly monitors: OwnMonitors;
  readonly instructions: OwnInstructions;
  /** The account's first steps, for one member. */
  firstRun(userId: string): Promise<FirstRun>;
  setFirstRunDismissed(userId: string, isDismissed: boolean): Promise<void>;
  /** What no member has dismissed yet, newest first. */
  notices(): Promise<readonly NoticeRecord[]>;
  /** For all members. Does nothing for an unknown one, or one that was dismissed before. */
  dismissNotice(id: string): Promise<void>;
  /** Audit entries, newest first. */
  audit(page: AuditPage): Promise<readonly AuditRecord[]>;
  /** Newest first; `before` is the end of the previous page. */
  ledger(input: { readonly before?: LedgerPosition; readonly limit: number }): Promise<readonly OwnLedgerRecord[]>;
  /** The last 30 days by UTC date, oldest first, including today and days without calls. */
  spend(): Promise<readonly DayOfSpend[]>;
  /** Calls that ended between the first and the last bound, by step and reason, by agent, and by caller number. */
  totals(bounds: StepBounds): Promise<Totals>;
}

export interface OwnAccountInput {
  readonly accountId: AccountId;
  /** Who makes the changes; the audit records it. */
  readonly actor: string;
  readonly bounds: AccountBounds;
  /** Receives calls that an opt-out or a suppression changed. Without it, nothing is announced. */
  readonly onCommitted?: CommitHook;
  /** Hears, after the commit, that there may be more or less to do for a campaign. */
  readonly onCampaignChanged?: () => void;
}

export function openOwnAccount(
  database: Database,
  { accountId, actor, bounds, onCommitted, onCampaignChanged }: OwnAccountInput,
): OwnAccount {
  const context = { database, actor, accountId, bounds, onCampaignChanged };
  return {
    keys: ownKeys(context),
    agents: ownAgents(context),
    numbers: ownNumbers(context),
    requests: ownRequests(context),
    credentials: ownCredentials(context),
    secrets: ownSecrets(context),
    suppressions: ownSuppressions(context, onCommitted),
    callingPolicy: ownCallingPolicy(context),
    campaigns: ownCampaigns(context),
    uploads: ownUploads(context),
    monitors: ownMonitors(context),
    instructions: ownInstructions(context),
    firstRun: (userId) => readFirstRun(context, userId),
    setFirstRunDismissed: (userId, isDismissed) => setFirstRunDismissed(context, userId, isDismissed),
    notices: () => listNotices(context),
    dismissNotice: (id) => dismissNotice(context, id),
    audit: (page) => listAccountAudit(database, accountId, page),
    ledger: (input) => readOwnLedger(database, { accountId, ...input }),
    spend: () => readSpend(database, accountId),
    totals: (bounds) => readTotals(database, accountId, bounds),
  };
}
