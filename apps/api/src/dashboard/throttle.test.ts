import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../test/browser.ts';
import type { Answer } from '../../test/client.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { ApiError } from '../http/api-error.ts';
import { networkOf } from '../http/network-of.ts';
import { createThrottle, limitingAll, type Throttle } from './throttle.ts';

let api: TestApi;
let redis: Redis;
beforeAll(async () => {
  api = await openApi();
  redis = new Redis(api.stores.redisUrl);
});
afterAll(async () => {
  redis.disconnect();
  await api.close();
});

const limits = () => ({ name: randomUUID(), windowSeconds: 900, maxOfSubject: 3, maxOfAddress: 6 });
const here = { subject: 'sam@example.com', address: '192.0.2.1' };

async function outcome(throttle: Throttle, attempt: typeof here): Promise<'begun' | 'refused'> {
  try {
    await throttle.begin(attempt);
    return 'begun';
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    return 'refused';
  }
}

describe('failed attempts', () => {
  it('are counted for their subject and address, over all processes and in a burst too', async () => {
    const of = limits();
    const processes = [createThrottle(redis, of), createThrottle(redis, of)];
    const outcomes = await Promise.all(
      processes.flatMap((process) => Array.from({ length: 6 }, () => outcome(process, here))),
    );
    expect(outcomes.filter((each) => each === 'begun')).toHaveLength(3);
  });

  it('block no client at another address', async () => {
    const throttle = createThrottle(redis, limits());
    for (let count = 0; count < 10; count += 1) await outcome(throttle, here);
    expect(await outcome(throttle, here)).toBe('refused');
    expect(await outcome(throttle, { ...here, address: '192.0.2.2' })).toBe('begun');
  });

  it('are counted for their address across subjects', async () => {
    const throttle = createThrottle(redis, limits());
    const outcomes: string[] = [];
    for (let count = 0; count < 8; count += 1)
      outcomes.push(await outcome(throttle, { ...here, subject: `${count}@example.com` }));
    expect(outcomes.filter((each) => each === 'begun')).toHaveLength(6);
  });

  it('are counted in memory while Redis is away', async () => {
    const away = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
    away.on('error', () => undefined);
    const throttle = createThrottle(away, limits());
    const outcomes: string[] = [];
    for (let count = 0; count < 5; count += 1) outcomes.push(await outcome(throttle, here));
    expect(outcomes).toEqual(['begun', 'begun', 'begun', 'refused', 'refused']);
    away.disconnect();
  });
});

it('successful attempts are not counted', async () => {
  const throttle = createThrottle(redis, limits());
  for (let count = 0; count < 20; count += 1) await (await throttle.begin(here))();
  expect(await outcome(throttle, here)).toBe('begun');
});

it('successful attempts have their own limit where each costs work', async () => {
  const throttle = limitingAll(
    createThrottle(redis, limits()),
    createThrottle(redis, { ...limits(), maxOfSubject: 5 }),
  );
  for (let count = 0; count < 5; count += 1) await (await throttle.begin(here))();
  expect(await outcome(throttle, here)).toBe('refused');
  expect(await outcome(throttle, { ...here, address: '192.0.2.2' })).toBe('begun');
});

it('a network is an IPv4 address, or the first half of an IPv6 one', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(networkOf('2001:db8::6')).toBe('2001:db8:0:0');
  expect(networkOf('2001:db8:1:2::')).toBe('2001:db8:1:2');
  expect(networkOf('::1')).toBe('0:0:0:0');
});

it.each([
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['fe80:1:2:3::4%eth0', 'fe80:1:2:3'],
  ['', ''],
])('a network is the same in every spelling of its address: %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

/**
 * Repeats the request until it is rejected, and returns the rejection. Redis counts, or this process while Redis is
 * slow.
 */
async function untilRefused(ask: () => Promise<Answer>, max: number): Promise<Answer> {
  for (let count = 0; count < 2 * max; count += 1) {
    const answer = await ask();
    if (answer.status === 429) return answer;
  }
  return ask();
}

describe('429 too_many_attempts with Retry-After:', () => {
  it('wrong passwords from one address; the correct one is accepted from another', async () => {
    const { email, password } = await api.signIn();
    const thief = openBrowser(api, '198.51.100.7');
    const guess = () => thief.request('POST', 'session', { json: { email, password: 'wrong' } });
    const refused = await untilRefused(guess, 10);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_attempts']);
    const waitSeconds = Number(refused.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(0);
    expect(waitSeconds).toBeLessThanOrEqual(900);
    const elsewhere = openBrowser(api, '198.51.100.8');
    expect((await elsewhere.request('POST', 'session', { json: { email, password } })).status).toBe(200);
  });

  it('too many correct passwords: each check delays others', async () => {
    const { email, password } = await api.signIn();
    const address = '198.51.100.10';
    const enter = () => openBrowser(api, address).request('POST', 'session', { json: { email, password } });
    const refused = await untilRefused(enter, 30);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_attempts']);
  });

  it('wrong current passwords of a signed-in user', async () => {
    const { headers } = await api.signIn();
    const json = { current_password: 'wrong', new_password: 'quite another password' };
    const refused = await untilRefused(() => api.request('PUT', '//api/dashboard/password', { headers, json }), 10);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_attempts']);
  });

  it('e-mails that could flood an inbox', async () => {
    const browser = openBrowser(api);
    const json = { email: `${randomUUID()}@example.com` };
    const refused = await untilRefused(() => browser.request('POST', 'password-resets', { json }), 5);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_attempts']);
  });

  it('users created from one address', async () => {
    const address = '198.51.100.9';
    const ask = (json: object) => openBrowser(api, address).request('POST', 'users', { json });
    const taken = await api.signIn();
    const json = { name: 'Sam', email: taken.email, password: 'correct horse' };
    const refused = await untilRefused(() => ask(json), 10);
    expect([refused.status, refused.error().code]).toEqual([429, 'too_many_attempts']);
  });
});
