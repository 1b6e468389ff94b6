import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { commandOf } from './repeat-call.ts';

const NAMES = {
  line: 'one\ntwo\n',
  quote: `it's "$HOME" \`id\` \\n !`,
  control: '\ttab\r\u001B[2J\n\u2028\u202E',
  empty: '',
};

const command = commandOf(
  {
    to: '+15550100',
    agent: 'Front desk',
    from: undefined,
    at: '2026-12-07T09:00:00+01:00',
    expiresAt: undefined,
    queue: true,
    onClosed: 'wait',
    zone: 'America/Denver',
    retry: { max_attempts: 3, on: ['busy', 'no_answer'], after_seconds: [900, 3_600] },
    variables: NAMES,
    idempotencyKey: 'the-key',
    follow: false,
  },
  { profile: undefined },
);

test('a shell reads the exact arguments of the printed command', () => {
  const read = execFileSync('sh', ['-c', `outdial() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' });
  const variables = Object.entries(NAMES).flatMap(([name, value]) => ['--var', `${name}=${value}`]);
  const schedule = ['--at', '2026-12-07T09:00:00+01:00', '--queue', '--on-closed', 'wait', '--zone', 'America/Denver'];
  const retry = ['--retry', '3', '--retry-on', 'busy,no_answer', '--retry-after', '900,3600'];
  const place = ['call', '+15550100', '--agent', 'Front desk', ...variables];
  const args = [...place, ...schedule, ...retry, '--idempotency-key', 'the-key'];
  expect(read.split('\0')).toEqual([...args, '']);
});

test('the printed command has no control characters but line breaks', () => {
  expect(command.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
