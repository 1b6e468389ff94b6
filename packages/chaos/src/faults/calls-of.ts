import type { Stack } from '../stack/stack.ts';

/** A call as Postgres has it. */
export interface StoredCall {
  readonly id: string;
  /** Of the callee. */
  readonly number: string;
  /** Null: it has not ended. */
  readonly reason: string | null;
  readonly costMicros: string;
}

export function callsOf({ sql }: Pick<Stack, 'sql'>, callIds: readonly string[]): Promise<readonly StoredCall[]> {
  return sql<StoredCall>(
    `SELECT id::text, callee_number AS number, ended_reason::text AS reason, cost_micros::text AS "costMicros"
     FROM calls WHERE id = ANY($1::uuid[])`,
    [callIds],
  );
}
