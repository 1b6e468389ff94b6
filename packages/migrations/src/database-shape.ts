import { withClient } from './scratch-database.ts';

interface ShapeItem {
  readonly definition: string;
  /** False for objects that Prisma's schema language cannot express. */
  readonly expressible: boolean;
}

/** The objects of a database's public schema, by names such as `column calls.status` or `index calls_pkey`. */
export type DatabaseShape = ReadonlyMap<string, ShapeItem>;

export async function describeDatabase(databaseUrl: string): Promise<DatabaseShape> {
  const { rows } = await withClient(databaseUrl, (client) => client.query<ShapeRow>(SHAPE_SQL));
  return new Map(rows.map(({ name, definition, expressible }) => [name, { definition, expressible }]));
}

interface ShapeRow {
  readonly name: string;
  readonly definition: string;
  readonly expressible: boolean;
}

/**
 * Each part returns (name, definition, expressible). The history table belongs to the engine. `now()` and
 * CURRENT_TIMESTAMP are the same default; a generated column's expression is not a default. CHECKs (contype c, n) and
 * exclusions (x) are ignored.
 */
const SHAPE_SQL = `
  SELECT 'column ' || t.relname || '.' || a.attname AS name,
         format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
           || CASE WHEN d.adbin IS NOT NULL AND a.attgenerated = ''
                   THEN ' DEFAULT ' || replace(pg_get_expr(d.adbin, d.adrelid), 'now()', 'CURRENT_TIMESTAMP')
                   ELSE '' END AS definition,
         true AS expressible
    FROM pg_attribute a
    JOIN pg_class t ON t.oid = a.attrelid AND t.relkind IN ('r', 'p')
    LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
   WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'
     AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT 'enum ' || t.typname, string_agg(e.enumlabel, ', ' ORDER BY e.enumsortorder), true
    FROM pg_type t
    JOIN pg_enum e ON e.enumtypid = t.oid
   WHERE t.typnamespace = 'public'::regnamespace
   GROUP BY t.typname
  UNION ALL
  SELECT 'index ' || i.relname, pg_get_indexdef(x.indexrelid),
         x.indpred IS NULL AND x.indexprs IS NULL AND x.indnatts = x.indnkeyatts AND NOT x.indnullsnotdistinct
           AND i.reloptions IS NULL
    FROM pg_index x
    JOIN pg_class i ON i.oid = x.indexrelid
    JOIN pg_class t ON t.oid = x.indrelid
   WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'
  UNION ALL
  SELECT 'constraint ' || c.conname || ' on ' || t.relname, pg_get_constraintdef(c.oid), true
    FROM pg_constraint c
    JOIN pg_class t ON t.oid = c.conrelid
   WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> '_prisma_migrations'
     AND c.contype IN ('p', 'f')
   ORDER BY 1`;
