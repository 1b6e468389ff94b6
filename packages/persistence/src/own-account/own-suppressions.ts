import type { E164 } from '@outdial/contracts';
import type { CommitHook } from '../group-commit.ts';
import type { OwnContext } from './own-context.ts';
import {
  addSuppressions,
  beginImport,
  type AddOutcome,
  type NewSuppressions,
  type SuppressionImport,
} from '../suppressions/add-suppressions.ts';
import { optOutCall, type PassedOnOptOut } from '../suppressions/opt-out-call.ts';
import {
  checkSuppressions,
  findSuppressions,
  listSuppressions,
  type SuppressionCheck,
  type SuppressionPage,
  type SuppressionPageInput,
} from '../suppressions/read-suppressions.ts';
import { removeSuppression, type RemovedSuppression, type RemoveOutcome } from '../suppressions/remove-suppression.ts';
import type { SuppressionRecord } from '../suppressions/suppression-record.ts';

/** The account's own do-not-call list. From the commit of an entry, no dial to its number begins more than a second later. */
export interface OwnSuppressions {
  /** Adds manual entries. A number that is on the list stays as it is. */
  add(input: NewSuppressions): Promise<AddOutcome>;
  /** The entries of these numbers, by number. */
  find(numbers: readonly E164[]): Promise<readonly SuppressionRecord[]>;
  /** Newest first. */
  page(input: SuppressionPageInput): Promise<SuppressionPage>;
  /** Says also which numbers are on the platform's list, without its entries. */
  check(numbers: readonly E164[]): Promise<readonly SuppressionCheck[]>;
  /** Removes a manual entry. */
  remove(input: Omit<RemovedSuppression, 'liftsOptOuts'>): Promise<RemoveOutcome>;
  beginImport(input: Omit<NewSuppressions, 'numbers'>): SuppressionImport;
  /** Null if the account has no such call. */
  optOutCall(input: Omit<PassedOnOptOut, 'accountId'>): Promise<SuppressionRecord | null>;
}

export function ownSuppressions(context: OwnContext, onCommitted?: CommitHook): OwnSuppressions {
  const { accountId, database } = context;
  const list = { ...context, owner: accountId, onCommitted };
  return {
    add: (input) => addSuppressions(list, input),
    find: (numbers) => findSuppressions(database, accountId, numbers),
    page: (input) => listSuppressions(database, accountId, input),
    check: (numbers) => checkSuppressions(database, accountId, numbers),
    remove: (input) => removeSuppression(list, { ...input, liftsOptOuts: false }),
    beginImport: (input) => beginImport(list, input),
    optOutCall: (input) => optOutCall(list, { ...input, accountId }),
  };
}
