import type { Database } from '../database.ts';
import { RETENTION_KINDS, type RetentionKind, type RetentionSettings } from './retention-settings.ts';

export async function readRetention({ side }: Pick<Database, 'side'>): Promise<RetentionSettings> {
  const rows = await side.$queryRaw<{ kind: string; days: number }[]>`SELECT r.kind, r.days FROM retention_settings r`;
  const isKnown = (kind: string): kind is RetentionKind => RETENTION_KINDS.some((known) => known === kind);
  return Object.fromEntries(rows.flatMap(({ kind, days }) => (isKnown(kind) ? [[kind, days]] : [])));
}
