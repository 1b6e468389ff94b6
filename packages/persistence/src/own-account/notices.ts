import { NOTICE_KINDS, type NoticeKind } from '@outdial/contracts';
import type { OwnContext } from './own-context.ts';

export interface NoticeRecord {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly endpointId: string;
  readonly url: string;
  /** The receiver answered 410. */
  readonly isGone: boolean;
  readonly createdAtMs: number;
}

const MOST_SHOWN = 20;

/** Not dismissed, newest first. Leaves out what a newer version writes, and what is about an endpoint that is deleted. */
export function listNotices({ database: { side }, accountId }: OwnContext): Promise<readonly NoticeRecord[]> {
  return side.$queryRaw<NoticeRecord[]>`
    SELECT n.id, n.kind, p.id AS "endpointId", p.url, COALESCE(n.data ->> 'reason' = 'gone', false) AS "isGone",
      epoch_ms(n.created_at) AS "createdAtMs"
    FROM account_notices n JOIN webhook_endpoints p ON p.id::text = n.data ->> 'endpoint_id'
      AND p.account_id = n.account_id AND p.kind = 'standing' AND p.deleted_at IS NULL
    WHERE n.account_id = ${accountId}::uuid AND n.dismissed_at IS NULL AND n.kind = ANY (${[...NOTICE_KINDS]}::text[])
    ORDER BY n.created_at DESC, n.id LIMIT ${MOST_SHOWN}::int`;
}

/** For all members. */
export async function dismissNotice({ database: { side }, accountId, actor }: OwnContext, id: string): Promise<void> {
  await side.$executeRaw`
    UPDATE account_notices SET dismissed_at = clock_timestamp(), dismissed_by = ${actor}
    WHERE id = ${id}::uuid AND account_id = ${accountId}::uuid AND dismissed_at IS NULL`;
}
