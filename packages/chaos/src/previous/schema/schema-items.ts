import { Client } from 'pg';

/** What code may use of a schema: columns, labels of enums and functions, by names such as `column calls.id`. */
export type SchemaItems = ReadonlyMap<string, SchemaItem>;

export interface SchemaItem {
  /** A column's type, whether it is nullable and has a default; a function's result. */
  readonly definition: string;
  /** What code must name to use it. */
  readonly words: readonly string[];
}

export async function readSchemaItems(databaseUrl: string): Promise<SchemaItems> {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<SchemaItem & { readonly name: string }>(ITEMS_SQL);
    return new Map(rows.map(({ name, definition, words }) => [name, { definition, words }]));
  } finally {
    await client.end();
  }
}

/** Triggers call their functions themselves, so those are no part. Neither is the history of the migrations. */
const ITEMS_SQL = `
  SELECT 'column ' || t.relname || '.' || a.attname AS name,
         format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN '' ELSE ', nullable' END
           || CASE WHEN a.atthasdef OR a.attidentity <> '' THEN ', default' ELSE '' END AS definition,
         ARRAY[t.relname, a.attname]::text[] AS words
    FROM pg_attribute a
    JOIN pg_class t ON t.oid = a.attrelid AND t.relkind IN ('r', 'p', 'v')
   WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'
     AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT 'label ' || t.typname || '.' || e.enumlabel, 'enum', ARRAY[e.enumlabel]::text[]
    FROM pg_enum e
    JOIN pg_type t ON t.oid = e.enumtypid
   WHERE t.typnamespace = 'public'::regnamespace
  UNION ALL
  SELECT 'function ' || p.oid::regprocedure, pg_get_function_result(p.oid), ARRAY[p.proname]::text[]
    FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
   ORDER BY 1`;
