import type { PrismaClient } from '../generated/client.ts';
import { RETENTION_KINDS, type RetentionKind, type RetentionSettings } from './retention-settings.ts';

export async function readRetention({
  side,
}: {
  readonly side: Pick<PrismaClient, '$queryRaw'>;
}): Promise<RetentionSettings> {
  const rows = await side.$queryRaw<{ kind: string; days: number }[]>`SELECT r.kind, r.days FROM retention_settings r`;
  return Object.fromEntries(rows.flatMap(({ kind, days }) => (isKnown(kind) ? [[kind, days]] : [])));
}

/** A newer version may have more. */
function isKnown(kind: string): kind is RetentionKind {
  return RETENTION_KINDS.some((known) => known === kind);
}
