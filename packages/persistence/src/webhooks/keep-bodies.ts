import type { WebhookMessageId } from '@outdial/contracts';
import type { WebhookStore } from '@outdial/webhooks';
import type { Database } from '../database.ts';
import { isolateRejected } from './isolate-rejected.ts';

/** A body is up to 256 KiB: more than this many characters go out in several statements. */
const STATEMENT_CHARS = 4_000_000;

type Bodies = Parameters<WebhookStore['keepBodies']>[0];

export async function keepBodies(database: Database, bodies: Bodies): Promise<ReadonlyMap<WebhookMessageId, string>> {
  const kept = new Map<WebhookMessageId, string>();
  for (const part of inParts(bodies)) {
    const rows = await isolateRejected(part, { run: (some) => keep(database, some), rejected: () => [] });
    for (const { id, body } of rows) kept.set(id, body);
  }
  return kept;
}

/** The first body wins. COALESCE sees the row as it is after the wait for another process, so the winner is returned. */
function keep({ side }: Database, bodies: Bodies) {
  const ids = bodies.map(({ messageId }) => messageId);
  const texts = bodies.map(({ body }) => body);
  return side.$queryRaw<{ id: WebhookMessageId; body: string }[]>`
    WITH input AS MATERIALIZED (
      SELECT * FROM unnest(${ids}::uuid[], ${texts}::text[]) AS u(id, body)
    ), locked AS MATERIALIZED (
      SELECT m.id FROM webhook_messages m JOIN input i ON i.id = m.id ORDER BY m.id FOR NO KEY UPDATE OF m
    )
    UPDATE webhook_messages m SET body = COALESCE(m.body, i.body)
    FROM locked l JOIN input i ON i.id = l.id WHERE m.id = l.id
    RETURNING m.id, m.body`;
}

function inParts(bodies: Bodies): readonly Bodies[] {
  const parts: Bodies[number][][] = [];
  let chars = Infinity;
  for (const each of bodies) {
    chars += each.body.length;
    if (chars > STATEMENT_CHARS) {
      parts.push([]);
      chars = each.body.length;
    }
    parts.at(-1)?.push(each);
  }
  return parts;
}
