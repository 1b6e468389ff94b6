import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { assertGateSupport, GateUnsupportedError } from './index.ts';
import { settingsWarnings } from './support.ts';
import { gateUnderTest } from '../test/stores.ts';

const under = gateUnderTest();

test('a properly configured Redis is supported', async () => {
  const warnings = await assertGateSupport(under.redis);
  expect(warnings.filter((text) => !text.includes('append-only'))).toEqual([]);
});

test('a user whose scripts may not call INFO is rejected with a sentence that says what to do', async () => {
  const user = `limited-${randomUUID()}`;
  await under.redis.call('ACL', 'SETUSER', user, 'on', '>secret', '~*', '+@all', '-info');
  const url = new URL(under.redisUrl);
  url.username = user;
  url.password = 'secret';
  // The ready check calls INFO, which this user may not.
  const limited = new Redis(url.href, { enableReadyCheck: false });
  try {
    const refused = assertGateSupport(limited);
    await expect(refused).rejects.toThrow(GateUnsupportedError);
    await expect(refused).rejects.toThrow(/does not let scripts call INFO/);
  } finally {
    limited.disconnect();
    await under.redis.call('ACL', 'DELUSER', user);
  }
});

test('a Redis that is away is neither supported nor unsupported', async () => {
  const away = new Redis({ host: '127.0.0.1', port: 1, maxRetriesPerRequest: 0, retryStrategy: () => null });
  away.on('error', () => {});
  const asserted = assertGateSupport(away);
  await expect(asserted).rejects.toThrow(/max retries|closed/i);
  await expect(asserted).rejects.not.toThrow(GateUnsupportedError);
});

const info = (policy: string, aof: string) => `# Memory\r\nmaxmemory_policy:${policy}\r\naof_enabled:${aof}\r\n`;

test('settings that put the guarantees at risk cause warnings', () => {
  expect(settingsWarnings(info('noeviction', '1'))).toEqual([]);
  expect(settingsWarnings(info('allkeys-lru', '1'))).toEqual([
    expect.stringContaining('allkeys-lru: set it to noeviction'),
  ]);
  expect(settingsWarnings(info('noeviction', '0'))).toEqual([expect.stringContaining('set appendonly to yes')]);
  expect(settingsWarnings('')).toHaveLength(2);
});
