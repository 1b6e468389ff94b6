import type { Client } from 'pg';

/** All tables that refer to these, directly or through others, and these. */
const REFERRING = `
  WITH RECURSIVE referring AS (
    SELECT unnest($1::regclass[]) AS id
    UNION
    SELECT c.conrelid::regclass FROM referring r JOIN pg_constraint c ON c.confrelid = r.id AND c.contype = 'f'
  )
  SELECT id::text AS name FROM referring ORDER BY 1`;

/** A table without pages has had no row since it was emptied. */
const USED = `
  SELECT x.id::text AS name FROM unnest($1::regclass[]) AS x(id) WHERE pg_relation_size(x.id) > 0 ORDER BY 1`;

const RESTART_IDENTITY = `
  SELECT setval(s.seqrelid::regclass, s.seqstart, false)
  FROM pg_depend d JOIN pg_sequence s ON s.seqrelid = d.objid
  WHERE d.refobjid = ANY($1::regclass[]) AND d.deptype IN ('a', 'i')`;

/**
 * Empties tables as TRUNCATE ... CASCADE does, so that rows lie in the same order in every run of a seed and unordered
 * queries return the same rows. TRUNCATE creates every file of every table and index again, which takes longer than most
 * schedules do.
 */
export class TablesToEmpty {
  readonly #client: Client;
  #names: readonly string[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  /** @param names of the tables; those that refer to them are emptied too */
  async open(names: readonly string[]): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(REFERRING, [names]);
    this.#names = rows.map(({ name }) => name);
    // Otherwise rows move at other moments in each run.
    await this.#client.query(
      this.#names.map((name) => `ALTER TABLE ${name} SET (autovacuum_enabled = off);`).join(' '),
    );
  }

  async empty(): Promise<void> {
    const { rows } = await this.#client.query<{ name: string }>(USED, [this.#names]);
    const used = rows.map(({ name }) => name);
    if (used.length === 0) return;
    // Foreign keys need no check while all tables that refer to these are emptied.
    await this.#client.query(`
      SET LOCAL session_replication_role = replica;
      ${used.map((name) => `DELETE FROM ${name};`).join(' ')}`);
    // Removes their pages.
    await this.#client.query(`VACUUM (INDEX_CLEANUP on) ${used.join(', ')}`);
    await this.#client.query(RESTART_IDENTITY, [used]);
  }
}
