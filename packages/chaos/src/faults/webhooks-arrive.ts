import { CALL_EVENT_TYPES, WEBHOOK_TYPE_OF_EVENT } from '@outdial/contracts';
import type { Account } from '../stack/account.ts';
import type { Stack } from '../stack/stack.ts';
import { PATIENCE_MS, until } from './observe.ts';

const SENT = CALL_EVENT_TYPES.filter((type) => WEBHOOK_TYPE_OF_EVENT[type] !== null);

/** Resolves once each event of the account so far was answered. @returns the longest time from an event to its first request */
export async function untilAllReceived(
  { sql, receivers }: Pick<Stack, 'sql' | 'receivers'>,
  account: Account,
): Promise<number> {
  const events = await sql<{ id: number; atMs: number }>(
    `SELECT e.id::float8 AS id, epoch_ms(e.at)::float8 AS "atMs" FROM call_events e JOIN calls c ON c.id = e.call_id
     WHERE c.account_id = $1 AND e.type::text = ANY($2::text[])`,
    [account.id, SENT],
  );
  await until('every webhook has arrived', PATIENCE_MS, async () => {
    const answered = receivers.received(account.id).filter(({ isAnswered }) => isAnswered);
    const ids = new Set(answered.map(({ eventId }) => eventId));
    return events.every(({ id }) => ids.has(id));
  });
  const received = receivers.received(account.id);
  const delays = events.map(({ id, atMs }) => (received.find(({ eventId }) => eventId === id)?.atMs ?? atMs) - atMs);
  return Math.max(0, ...delays);
}
