import type { Client } from 'pg';
import type { SqlSource } from './sql-sources.ts';

interface SqlObject {
  /** As Postgres prints it. Function bodies are verbatim. */
  readonly definition: string;
  /** The statement that drops it, with what depends on it. */
  readonly drop: string;
}

/** By kind, name and arguments, such as `function accept_calls(json)` or `trigger calls_ended on calls`. */
export type SqlObjects = ReadonlyMap<string, SqlObject>;

/** Every function, procedure, view and trigger of the schema, but for those that extensions own. */
export async function readSqlObjects(client: Client): Promise<SqlObjects> {
  const { rows } = await client.query<SqlObject & { readonly key: string }>(OBJECTS_SQL);
  return new Map(rows.map(({ key, definition, drop }) => [key, { definition, drop }]));
}

/** An aggregate or a materialized view has no `CREATE OR REPLACE`, so no source can match what this returns for it. */
const OBJECTS_SQL = `
  SELECT o.kind || ' ' || p.oid::regprocedure AS key,
         CASE WHEN p.prokind = 'a' THEN 'aggregate' ELSE pg_get_functiondef(p.oid) END AS definition,
         'DROP ' || CASE WHEN p.prokind IN ('a', 'w') THEN 'ROUTINE' ELSE upper(o.kind) END
           || ' IF EXISTS ' || p.oid::regprocedure || ' CASCADE' AS drop
    FROM pg_proc p,
         LATERAL (SELECT CASE p.prokind WHEN 'p' THEN 'procedure' WHEN 'a' THEN 'aggregate' ELSE 'function' END) o(kind)
   WHERE p.pronamespace = 'public'::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
  UNION ALL
  SELECT o.kind || ' ' || v.oid::regclass,
         COALESCE('WITH (' || array_to_string(v.reloptions, ', ') || ') ', '') || pg_get_viewdef(v.oid),
         'DROP ' || o.kind || ' IF EXISTS ' || v.oid::regclass || ' CASCADE'
    FROM pg_class v,
         LATERAL (SELECT CASE v.relkind WHEN 'm' THEN 'materialized view' ELSE 'view' END) o(kind)
   WHERE v.relnamespace = 'public'::regnamespace AND v.relkind IN ('v', 'm')
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = v.oid AND d.deptype = 'e')
  UNION ALL
  SELECT 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass,
         pg_get_triggerdef(t.oid) || CASE t.tgenabled WHEN 'O' THEN '' ELSE ' -- enabled: ' || t.tgenabled::text END,
         format('DROP TRIGGER IF EXISTS %I ON %s', t.tgname, t.tgrelid::regclass)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
   ORDER BY 1`;

/**
 * What the sources alone create on this database's tables: every object is dropped, the sources run, and all of it is
 * rolled back.
 */
export async function readSourceObjects(client: Client, sources: readonly SqlSource[]): Promise<SqlObjects> {
  const migrated = await readSqlObjects(client);
  return rolledBack(client, async () => {
    // Triggers first: a DROP of their function would take them along.
    const drops = [...migrated].toSorted(
      ([a], [b]) => Number(b.startsWith('trigger')) - Number(a.startsWith('trigger')),
    );
    for (const [, { drop }] of drops) await client.query(drop);
    // A function may call another one that a later file creates.
    await client.query('SET LOCAL check_function_bodies = off');
    for (const { path, text } of sources) await client.query(text).catch(withPath(path));
    return readSqlObjects(client);
  });
}

/** Runs `work` in a transaction that leaves nothing behind. */
export async function rolledBack<T>(client: Client, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

function withPath(path: string) {
  return (error: unknown): never => {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  };
}
