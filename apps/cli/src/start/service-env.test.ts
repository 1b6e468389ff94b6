import { expect, test } from 'vitest';
import { parseEnv } from '@outdial/kernel';
import { startEnv } from './config.ts';
import { egressAllowOf } from './service-env.ts';

const allowed = (env: Readonly<Record<string, string>>) => egressAllowOf({ config: parseEnv(startEnv, env), env });

test.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('tools may reach this machine while HOST is %s', (host) => {
  expect(allowed({ HOST: host })).toBe('127.0.0.0/8');
  expect(allowed({})).toBe('127.0.0.0/8');
});

test.each(['0.0.0.0', '::', '192.0.2.7', '127.example.com'])('tools may not while HOST is %s', (host) => {
  expect(allowed({ HOST: host })).toBeUndefined();
});

test('the user’s own setting holds, whatever HOST is', () => {
  for (const HOST of ['127.0.0.1', '0.0.0.0']) {
    expect(allowed({ HOST, OUTDIAL_EGRESS_ALLOW: '' })).toBe('');
    expect(allowed({ HOST, OUTDIAL_EGRESS_ALLOW: '10.20.0.0/16' })).toBe('10.20.0.0/16');
  }
});
