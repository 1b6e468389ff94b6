import type { AccountId, E164 } from '@outdial/contracts';
import {
  addSuppressions,
  beginImport,
  NoSuchList,
  type AddOutcome,
  type NewSuppressions,
  type SuppressionImport,
} from '../suppressions/add-suppressions.ts';
import {
  checkSuppressions,
  listSuppressions,
  type SuppressionCheck,
  type SuppressionPage,
  type SuppressionPageInput,
} from '../suppressions/read-suppressions.ts';
import { removeSuppression, type RemovedSuppression, type RemoveOutcome } from '../suppressions/remove-suppression.ts';
import type { AdministrationContext } from './audit.ts';
import { accountNotFound } from './refusal.ts';

/** The do-not-call list of one account, or the platform's, which holds for all accounts. */
export interface SuppressionAdministration {
  /** @throws Refusal `account_not_found` */
  add(input: Omit<NewSuppressions, 'source'>): Promise<AddOutcome>;
  /** Newest first. */
  page(input: SuppressionPageInput): Promise<SuppressionPage>;
  check(numbers: readonly E164[]): Promise<readonly SuppressionCheck[]>;
  /** Lifts an opt-out too: only an operator does. */
  remove(input: Omit<RemovedSuppression, 'liftsOptOuts'>): Promise<RemoveOutcome>;
  beginImport(input: Omit<NewSuppressions, 'numbers' | 'source'>): SuppressionImport;
}

/** @param owner null: the platform */
export function administerSuppressions(
  context: AdministrationContext,
  owner: AccountId | null,
): SuppressionAdministration {
  const { database } = context;
  const list = { ...context, owner };
  /** Rejects with what operators read. */
  function asRefusal(error: unknown): never {
    throw error instanceof NoSuchList ? accountNotFound(owner ?? '') : error;
  }
  return {
    add: (input) => addSuppressions(list, { ...input, source: 'operator' }).catch(asRefusal),
    page: (input) => listSuppressions(database, owner, input),
    check: (numbers) => checkSuppressions(database, owner, numbers),
    remove: (input) => removeSuppression(list, { ...input, liftsOptOuts: true }),
    beginImport(input) {
      const importing = beginImport(list, { ...input, source: 'import' });
      return { add: (numbers) => importing.add(numbers).catch(asRefusal) };
    },
  };
}
