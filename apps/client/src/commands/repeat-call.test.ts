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
    variables: NAMES,
    idempotencyKey: 'the-key',
    follow: false,
  },
  { profile: undefined },
);

test('a shell reads the exact arguments of the printed command', () => {
  const read = execFileSync('sh', ['-c', `outdial() { printf '%s\\0' "$@"; }; ${command}`], { encoding: 'utf8' });
  const variables = Object.entries(NAMES).flatMap(([name, value]) => ['--var', `${name}=${value}`]);
  const args = ['call', '+15550100', '--agent', 'Front desk', ...variables, '--idempotency-key', 'the-key'];
  expect(read.split('\0')).toEqual([...args, '']);
});

test('the printed command has no control characters but line breaks', () => {
  expect(command.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
});
