import type { Stack } from '../stack/stack.ts';
import { OPEN_HOLDS } from './open-holds.ts';

/** What must hold for the money at every moment. Written in separate SQL, since the product's own is under test. */
const ALWAYS: readonly (readonly [rule: string, sql: string])[] = [
  [
    'a balance is not the sum of its top-ups and charges',
    `SELECT w.account_id::text AS what FROM wallets w
     WHERE w.balance_micros <> (SELECT COALESCE(sum(l.amount_micros), 0) FROM ledger_entries l WHERE l.account_id = w.account_id)`,
  ],
  [
    'open holds exceed the balance',
    `SELECT w.account_id::text AS what FROM wallets w
     WHERE w.balance_micros < (SELECT COALESCE(sum(hold_micros), 0) FROM ${OPEN_HOLDS} WHERE account_id = w.account_id)`,
  ],
  [
    'open calls exceed the capacity',
    `SELECT a.id::text AS what FROM accounts a
     WHERE a.capacity < (SELECT count(*) FROM ${OPEN_HOLDS} WHERE account_id = a.id)`,
  ],
  ['a call costs more than was held', 'SELECT id::text AS what FROM calls WHERE cost_micros > hold_micros'],
  [
    'a second leg costs more than was held',
    'SELECT id::text AS what FROM transfer_legs WHERE cost_micros > hold_micros',
  ],
  [
    'a call ended without settling its second leg',
    `SELECT c.id::text AS what FROM calls c JOIN transfer_legs t ON t.call_id = c.id
     WHERE c.ended_at IS NOT NULL AND t.settled_at IS NULL`,
  ],
  [
    'a call is not charged once, or is charged before its end',
    `SELECT c.id::text AS what FROM calls c
     WHERE (SELECT count(*) FROM ledger_entries l WHERE l.call_id = c.id) <> (c.ended_at IS NOT NULL)::int`,
  ],
  [
    'a charge is not the cost of its call',
    `SELECT c.id::text AS what FROM calls c JOIN ledger_entries l ON l.call_id = c.id WHERE l.amount_micros <> -c.cost_micros`,
  ],
];

/**
 * Invariants 1, 3 and 5. One snapshot for all of them, so that a call which ends between two reads is not a
 * violation.
 */
export async function moneyViolations(stack: Pick<Stack, 'sql'>): Promise<readonly string[]> {
  const parts = ALWAYS.map(([, sql], index) => `SELECT ${index} AS rule, what FROM (${sql}) AS broken_${index}`);
  const broken = await stack.sql<{ rule: number; what: string }>(parts.join(' UNION ALL '));
  return broken.map(({ rule, what }) => `${ALWAYS[rule]?.[0]}: ${what}`);
}
