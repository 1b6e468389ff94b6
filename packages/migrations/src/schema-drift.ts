import { readFile } from 'node:fs/promises';

import { applyMigrations } from './apply-migrations.ts';
import { describeDatabase, type DatabaseShape } from './database-shape.ts';
import { DEFAULT_MIGRATIONS_DIR, DEFAULT_SCHEMA_PATH } from './migration-files.ts';
import { withSchemaEngine } from './schema-engine.ts';
import { withClient, withScratchDatabase } from './scratch-database.ts';

export interface SchemaDriftOptions {
  /** A server on which this role may create databases; its own database is only connected to. */
  readonly databaseUrl: string;
  readonly migrationsDir?: string | undefined;
  readonly schemaPath?: string | undefined;
}

export interface SchemaDrift {
  /** One line per difference; empty if migrations and schema agree. */
  readonly differences: readonly string[];
}

/**
 * Compares the result of the migrations with `schema.prisma`, in two scratch databases.
 *
 * Tables, columns, enums, keys and indexes must agree. Objects that Prisma's language cannot express may be in the
 * migrations only: CHECKs, functions, triggers, and indexes that are partial, on expressions or with included columns.
 */
export async function schemaDrift(options: SchemaDriftOptions): Promise<SchemaDrift> {
  const { databaseUrl, migrationsDir = DEFAULT_MIGRATIONS_DIR, schemaPath = DEFAULT_SCHEMA_PATH } = options;
  const schema = await readFile(schemaPath, 'utf8');
  const migrated = await withScratchDatabase(databaseUrl, async (url) => {
    await applyMigrations({ databaseUrl: url, migrationsDir });
    return { shape: await describeDatabase(url), functions: await functionsOfDefaults(url) };
  });
  const wanted = await withScratchDatabase(databaseUrl, async (url) => {
    const script = await scriptFor(url, schema);
    await withClient(url, (client) => client.query([...migrated.functions, script].join(';\n')));
    return describeDatabase(url);
  });
  return { differences: differencesBetween(migrated.shape, wanted) };
}

/** What creates the functions that defaults of columns call: the schema names them, and the migrations alone make them. */
function functionsOfDefaults(databaseUrl: string): Promise<readonly string[]> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ definition: string }>(
      `SELECT pg_get_functiondef(p.oid) AS definition FROM pg_proc p
       WHERE p.pronamespace = 'public'::regnamespace AND EXISTS (
         SELECT FROM pg_depend d WHERE d.classid = 'pg_attrdef'::regclass AND d.refclassid = 'pg_proc'::regclass
           AND d.refobjid = p.oid)`,
    );
    return rows.map(({ definition }) => definition);
  });
}

/** Comparing runs no script. */
const NOT_USED = 0;

/** The SQL that Prisma generates for this schema. */
function scriptFor(databaseUrl: string, content: string): Promise<string> {
  return withSchemaEngine({ databaseUrl, lockTimeoutMs: NOT_USED }, async ({ engine }) => {
    const { stdout } = await engine.diff({
      from: { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content }] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  });
}

function differencesBetween(migrated: DatabaseShape, wanted: DatabaseShape): readonly string[] {
  const differences: string[] = [];
  for (const [name, item] of wanted) {
    const made = migrated.get(name);
    if (!made) differences.push(`${name}: only schema.prisma has it (${item.definition})`);
    else if (made.definition !== item.definition) {
      differences.push(
        `${name}: the migrations produce «${made.definition}», schema.prisma declares «${item.definition}»`,
      );
    }
  }
  for (const [name, item] of migrated) {
    if (wanted.has(name) || !item.expressible) continue;
    differences.push(`${name}: only the migrations have it (${item.definition})`);
  }
  return differences;
}
