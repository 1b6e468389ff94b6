import { MigrationRefused } from './function-migration.ts';

/**
 * The folder of a new migration: it sorts after every existing one, and carries the time of day where that is later.
 *
 * @param existing folder names such as `20261207000000_commit_probes`
 */
export function nextMigration(name: string, existing: readonly string[], now: Date): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name)) {
    throw new MigrationRefused(
      `"${name}" cannot name a migration: use small letters, digits and underscores, as in npm run migration -- accept_by_key.`,
    );
  }
  const stamps = existing.flatMap((folder) => /^(?<stamp>\d{14})_/.exec(folder)?.groups?.['stamp'] ?? []);
  const last = Math.max(0, ...stamps.map(Number));
  const today = Number(now.toISOString().replaceAll(/\D/g, '').slice(0, 14));
  return `${Math.max(today, last + 1)}_${name}`;
}
