import { MOST_SUPPRESSIONS, type E164, type SuppressionSource } from '@outdial/contracts';
import type { Database } from '../database.ts';
import type { CommitHook } from '../group-commit.ts';
import { storableJson } from '../sql/storable-json.ts';
import { announceEnded, endSuppressedTo } from '../drive/end-suppressed.ts';
import type { ListOwner } from './suppression-record.ts';

/** Numbers of one statement of an import: it holds rows that other adds wait for, and must be done in a moment. */
export const MOST_NUMBERS_OF_A_CHUNK = 2_000;

export interface ListContext {
  readonly database: Database;
  /** Who makes the changes; the audit records it. */
  readonly actor: string;
  readonly owner: ListOwner;
  /** Receives scheduled calls that ended because of an entry. */
  readonly onCommitted?: CommitHook | undefined;
}

export interface NewSuppressions {
  readonly numbers: readonly E164[];
  readonly source: SuppressionSource;
  readonly reason?: string | undefined;
}

export type AddOutcome =
  | { readonly kind: 'added'; readonly added: number }
  /** Nothing was added: the account would have more manual entries than it may have. */
  | { readonly kind: 'too_many'; readonly limit: number };

/** The account of the list does not exist. */
export class NoSuchList extends Error {
  constructor() {
    super('there is no such account');
    this.name = 'NoSuchList';
  }
}

/** An import under way: it has one audit row, which counts what all its chunks added. */
export interface SuppressionImport {
  /** Adds at most `MOST_NUMBERS_OF_A_CHUNK` numbers. Repeating a chunk is safe. @throws NoSuchList */
  add(numbers: readonly E164[]): Promise<AddOutcome>;
}

interface AddedRow {
  readonly outcome: 'added' | 'too_many' | 'account_not_found';
  readonly added: number;
  readonly auditId: string | null;
}

interface AuditedAs {
  readonly action: 'suppression.add' | 'suppression.import';
  readonly auditId?: string | null;
}

/** @throws NoSuchList */
export async function addSuppressions(context: ListContext, input: NewSuppressions): Promise<AddOutcome> {
  return (await send(context, input, { action: 'suppression.add' })).outcome;
}

export function beginImport(context: ListContext, input: Omit<NewSuppressions, 'numbers'>): SuppressionImport {
  let auditId: string | null = null;
  return {
    async add(numbers) {
      const sent = await send(context, { ...input, numbers }, { action: 'suppression.import', auditId });
      auditId = sent.auditId;
      return sent.outcome;
    },
  };
}

async function send(context: ListContext, input: NewSuppressions, { action, auditId = null }: AuditedAs) {
  const { numbers, source, reason } = input;
  const { owner } = context;
  const batch = storableJson({
    account_id: owner,
    numbers: numbers.map((number) => number.slice(1)),
    source,
    reason,
    actor: context.actor,
    action,
    audit_id: auditId,
    most: MOST_SUPPRESSIONS,
  });
  const [row] = await context.database.side.$queryRaw<AddedRow[]>`
    SELECT a.outcome, a.added, a.audit_id::text AS "auditId" FROM add_suppressions(${batch}::jsonb) a`;
  if (row === undefined || row.outcome === 'account_not_found') throw new NoSuchList();
  // Awaited, so that it counts to the turn of the account: an import has thousands of chunks.
  if (row.added > 0) await endScheduled(context, numbers);
  const outcome: AddOutcome =
    row.outcome === 'too_many' ? { kind: 'too_many', limit: MOST_SUPPRESSIONS } : { kind: 'added', added: row.added };
  return { outcome, auditId: row.auditId };
}

async function endScheduled(context: ListContext, numbers: readonly E164[]): Promise<void> {
  const { database, owner, onCommitted } = context;
  // Calls to numbers of the platform's list end when they are admitted.
  if (owner === null) return;
  await announceEnded(endSuppressedTo(database, { accountId: owner, numbers }), onCommitted);
}
