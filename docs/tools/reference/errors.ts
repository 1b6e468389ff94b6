import { statusOf } from '@outdial/api/documentation';
import { DASHBOARD_ERROR_CODES, ERROR_CODES, ERROR_MEANINGS } from '@outdial/contracts';
import { code, table } from './table.ts';

export function errorsPage(): string {
  const rows = ERROR_CODES.toSorted((a, b) => statusOf(a) - statusOf(b) || a.localeCompare(b)).map((error) => [
    String(statusOf(error)),
    code(error),
    ERROR_MEANINGS[error],
  ]);
  const own = DASHBOARD_ERROR_CODES.toSorted((a, b) => statusOf(a) - statusOf(b) || a.localeCompare(b));
  return [
    '# Errors',
    'An error response has this shape. `code` is for programs, `message` is for people and says what to do next.',
    '```json\n{"error": {"code": "…", "message": "…", "param": "…", "details": {}, "request_id": "…"}}\n```',
    '`param` and `details` are optional. `request_id` equals the `X-Request-Id` header and finds the request in the log.',
    table(['Status', 'Code', 'Meaning'], rows),
    '## When to retry',
    [
      '- `service_unavailable`: the API created no call. Repeat the request after `Retry-After`.',
      '- `outcome_unknown`: Postgres did not confirm the commit. Repeat the request with the same `Idempotency-Key`, or read the call whose id is in `details`.',
      '- `no_trunk_available`: no trunk takes calls, and waiting in the queue is pointless. The API stored nothing. Repeat the request after `Retry-After`.',
      '- `rate_limited`: `details.scope` says whose limit you reached, `key` or `account`. Wait for `Retry-After`.',
    ].join('\n'),
    'Every 503 arrives within a second and carries `Retry-After`.',
    '## Errors of the dashboard',
    "The dashboard's own routes return these codes as well.",
    table(
      ['Status', 'Code'],
      own.map((error) => [String(statusOf(error)), code(error)]),
    ),
  ].join('\n\n');
}
