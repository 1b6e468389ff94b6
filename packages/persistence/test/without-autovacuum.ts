import type { Database } from '../src/index.ts';

/**
 * Keeps autovacuum away from the tables. What it reads would be counted as read by the tests, and its statistics of a moment
 * between two statements would change a plan.
 */
export async function withoutAutovacuum({ side }: Pick<Database, 'side'>, tables: readonly string[]): Promise<void> {
  for (const table of tables) await side.$executeRawUnsafe(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
}
