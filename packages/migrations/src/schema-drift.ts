import { readFile } from 'node:fs/promises';

import { applyMigrations } from './apply-migrations.ts';
import { describeDatabase, type DatabaseShape } from './database-shape.ts';
import { DEFAULT_MIGRATIONS_DIR, DEFAULT_SCHEMA_PATH } from './migration-files.ts';
import { withSchemaEngine } from './schema-engine.ts';
import { withClient, withScratchDatabase } from './scratch-database.ts';

export interface SchemaDriftOptions {
  /** A server where this role may create databases; the database that it names is only connected to. */
  readonly databaseUrl: string;
  readonly migrationsDir?: string | undefined;
  readonly schemaPath?: string | undefined;
}

export interface SchemaDrift {
  /** One line per difference; empty when migrations and schema agree. */
  readonly differences: readonly string[];
}

/**
 * Compares what the migrations make with what `schema.prisma` asks for, in two databases that are dropped afterwards.
 *
 * Tables, columns, enums, keys and indexes must agree. What Prisma's language cannot say may stand in the migrations
 * alone: CHECKs, functions, triggers, and indexes that are partial, on expressions or with included columns.
 */
export async function schemaDrift(options: SchemaDriftOptions): Promise<SchemaDrift> {
  const { databaseUrl, migrationsDir = DEFAULT_MIGRATIONS_DIR, schemaPath = DEFAULT_SCHEMA_PATH } = options;
  const schema = await readFile(schemaPath, 'utf8');
  const migrated = await withScratchDatabase(databaseUrl, async (url) => {
    await applyMigrations({ databaseUrl: url, migrationsDir });
    return describeDatabase(url);
  });
  const wanted = await withScratchDatabase(databaseUrl, async (url) => {
    const script = await scriptFor(url, schema);
    await withClient(url, (client) => client.query(script));
    return describeDatabase(url);
  });
  return { differences: differencesBetween(migrated, wanted) };
}

/** A comparison runs no script. */
const NOT_USED = 0;

/** The SQL that Prisma itself would write for this schema. */
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
    if (!made) differences.push(`${name}: schema.prisma has it, the migrations do not (${item.definition})`);
    else if (made.definition !== item.definition) {
      differences.push(
        `${name}: the migrations make «${made.definition}», schema.prisma asks for «${item.definition}»`,
      );
    }
  }
  for (const [name, item] of migrated) {
    if (wanted.has(name) || !item.expressible) continue;
    differences.push(`${name}: the migrations make it, schema.prisma lacks it (${item.definition})`);
  }
  return differences;
}
