import type { PromiseLog } from '../load/promises.ts';
import { acceptedIds, wasRefusedForGood } from '../load/promises.ts';
import type { Stack } from '../stack/stack.ts';

/** Invariants 7 and 8: the product keeps its promises to clients. */
export async function promiseViolations(stack: Pick<Stack, 'sql'>, promises: PromiseLog): Promise<readonly string[]> {
  const rows = await stack.sql<{ id: string; key: string; accountId: string }>(
    'SELECT id::text, idempotency_key AS key, account_id::text AS "accountId" FROM calls WHERE idempotency_key IS NOT NULL',
  );
  const stored = new Map(rows.map((row) => [`${row.accountId}/${row.key}`, row.id]));
  const violations: string[] = [];
  for (const promised of promises.all()) {
    const { account, key, attempts } = promised;
    const ids = new Set(acceptedIds(promised));
    const id = stored.get(`${account.id}/${key}`);
    if (ids.size > 1) violations.push(`one key gave several calls: ${key}`);
    for (const accepted of ids) {
      if (accepted !== id) violations.push(`an accepted call is missing: ${accepted}`);
    }
    if (id !== undefined && wasRefusedForGood(promised)) {
      violations.push(`a call exists although its request was rejected: ${id}`);
    }
    for (const { answer } of attempts) {
      if (answer.kind === 'refused' && answer.code === 'internal_error') violations.push(`an internal error: ${key}`);
    }
  }
  return violations;
}
