import type { Stack } from '../stack/stack.ts';

/** When a call is retried after it has ended, if it is. */
const RETRIED_AT = `
  p.ended_at + make_interval(secs => COALESCE(b.retry->'after_seconds'->>(b.attempt - 1), b.retry->'after_seconds'->>-1)::int)`;

/** What must hold for calls that are dialed later or again. */
const RULES: readonly (readonly [rule: string, sql: string])[] = [
  [
    'an attempt does not follow the one before it',
    `SELECT s.call_id::text AS what FROM call_schedules s
     WHERE (s.attempt = 1) <> (s.retry_of IS NULL) OR s.attempt > 1 AND NOT EXISTS (
       SELECT FROM call_schedules b JOIN calls p ON p.id = b.call_id JOIN calls c ON c.id = s.call_id
       WHERE b.call_id = s.retry_of AND b.attempt = s.attempt - 1 AND p.account_id = c.account_id
         AND p.callee_number = c.callee_number AND b.retry->'on' ? p.ended_reason::text
         AND s.scheduled_for = ${RETRIED_AT})`,
  ],
  [
    'a call was retried more than once',
    'SELECT retry_of::text AS what FROM call_schedules WHERE retry_of IS NOT NULL GROUP BY retry_of HAVING count(*) > 1',
  ],
  [
    'there are more attempts than were asked for',
    `SELECT call_id::text AS what FROM call_schedules WHERE attempt > COALESCE((retry->>'max_attempts')::int, 1)`,
  ],
  [
    'a call was not retried',
    `SELECT p.id::text AS what FROM calls p JOIN call_schedules b ON b.call_id = p.id
     WHERE p.ended_at IS NOT NULL AND p.end_requested_at IS NULL AND b.retry->'on' ? p.ended_reason::text
       AND b.attempt < (b.retry->>'max_attempts')::int AND ${RETRIED_AT} < b.give_up_at
       AND NOT EXISTS (SELECT FROM call_schedules s WHERE s.retry_of = p.id)`,
  ],
  [
    'a call waits to be admitted although it was',
    `SELECT c.id::text AS what FROM calls c JOIN call_schedules s ON s.call_id = c.id
     WHERE s.is_waiting <> (c.status = 'scheduled')`,
  ],
];

/** The attempts of a request are 1 to n, without a gap. Each is a call, and so has one leg at most. */
export async function attemptViolations(stack: Pick<Stack, 'sql'>): Promise<readonly string[]> {
  const parts = RULES.map(([, sql], index) => `SELECT ${index} AS rule, what FROM (${sql}) AS broken_${index}`);
  const broken = await stack.sql<{ rule: number; what: string }>(parts.join(' UNION ALL '));
  return broken.map(({ rule, what }) => `${RULES[rule]?.[0]}: ${what}`);
}
