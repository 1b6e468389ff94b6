import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT_DIR } from './patch.ts';

const MIGRATIONS = 'prisma/migrations';

/** The latest migration that defines a function or a trigger. Its path from the root. */
export function migrationOf(kind: 'FUNCTION' | 'TRIGGER', name: string): string {
  const files = readdirSync(join(ROOT_DIR, MIGRATIONS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${MIGRATIONS}/${name}/migration.sql`)
    .toSorted();
  const definition = new RegExp(`CREATE (?:OR REPLACE )?${kind} ${name}\\b`);
  const last = files.findLast((file) => definition.test(readFileSync(join(ROOT_DIR, file), 'utf8')));
  if (last === undefined) throw new Error(`no migration creates the ${kind.toLowerCase()} ${name}`);
  return last;
}
