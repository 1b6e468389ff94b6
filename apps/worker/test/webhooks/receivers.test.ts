import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { endpointDisabledBody } from '@outdial/webhooks';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openHookStage, type HookStage, type LoggedAttempt, type PlantedEndpoint } from './hook-stage.ts';
import type { Answer } from './receiver.ts';

const BUSY = '+12025550101';
/** One webhook a call. */
const ENDS = ['call.ended'] as const;

let stage: HookStage;
beforeAll(async () => {
  stage = await openHookStage();
  await stage.startWorker(stage.hookEnvironment);
});
afterEach(() => stage.clear());
afterAll(() => stage.close());

const failTwice: Answer = (response, index) => {
  response.statusCode = index < 2 ? 500 : 204;
  response.end(`answer ${index}`);
};
const waitAnHour: Answer = (response, index) =>
  void (index === 0 ? response.writeHead(503, { 'retry-after': '3600' }).end() : response.end());

/** Ends a call, and returns the log once an attempt to report it was logged. */
async function firstAttempt(endpoint: PlantedEndpoint): Promise<LoggedAttempt | undefined> {
  await stage.place(BUSY);
  await expect.poll(() => stage.attemptsTo(endpoint)).toHaveLength(1);
  const [attempt] = await stage.attemptsTo(endpoint);
  return attempt;
}

test('a receiver that fails twice gets the same bytes under the same id, until it accepts them', async () => {
  const receiver = await stage.receiver({ answer: failTwice });
  const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
  await firstAttempt(endpoint);
  for (const count of [2, 3]) {
    await stage.passTime(endpoint);
    await receiver.until(count);
    await expect.poll(() => stage.attemptsTo(endpoint)).toHaveLength(count);
  }
  expect(new Set(receiver.received.map(({ id, body }) => id + body)).size).toBe(1);
  expect(await stage.attemptsTo(endpoint)).toMatchObject([
    { number: 1, status: 500, error: 'status', responseBody: 'answer 0' },
    { number: 2, status: 500, error: 'status', responseBody: 'answer 1' },
    { number: 3, status: 204, error: null, responseBody: '' },
  ]);
  expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'delivered', attempts: 3 }]);
});

test('a receiver that fails ten times gets no eleventh request', async () => {
  const receiver = await stage.receiver({ answer: (response) => void response.writeHead(500).end() });
  const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
  await firstAttempt(endpoint);
  for (let count = 2; count <= 10; count += 1) {
    await stage.passTime(endpoint);
    await receiver.until(count);
    await expect.poll(() => stage.attemptsTo(endpoint)).toHaveLength(count);
  }
  expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'failed', attempts: 10, triesLeft: 0 }]);
});

describe('an attempt fails', () => {
  test.each<[string, Answer, Partial<LoggedAttempt>]>([
    ['with a receiver that closes the connection', (response) => void response.destroy(), { error: 'reset' }],
    [
      'with a redirect, which is not followed',
      (response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
      { status: 302, error: 'status' },
    ],
    [
      'with a status 429, whatever its odd Retry-After says',
      (response) => void response.writeHead(429, { 'retry-after': 'at your leisure' }).end(),
      { status: 429, error: 'status' },
    ],
    [
      'with a body of NUL bytes, which the log replaces',
      (response) => void response.writeHead(500).end('\0no\0'),
      { status: 500, responseBody: '\ufffdno\ufffd' },
    ],
  ])('%s', async (_what, answer, logged) => {
    const receiver = await stage.receiver({ answer });
    const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
    expect(await firstAttempt(endpoint)).toMatchObject(logged);
    expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'pending', attempts: 1, triesLeft: 9 }]);
    expect(receiver.received).toHaveLength(1);
  });

  test('with a certificate that no authority signed', async () => {
    const receiver = await stage.receiver({
      tls: { key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate },
    });
    const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
    expect(await firstAttempt(endpoint)).toMatchObject({ status: null, error: 'tls' });
    expect(receiver.received).toEqual([]);
  });

  test('with a port where no program listens', async () => {
    const receiver = await stage.receiver();
    await receiver.close();
    const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
    expect(await firstAttempt(endpoint)).toMatchObject({ status: null, error: 'connect' });
  });

  test.each(['http://10.0.0.1/hooks', 'https://169.254.169.254/hooks', 'https://[::ffff:10.0.0.1]/hooks'])(
    'without a connection to %s, a private address',
    async (url) => {
      const endpoint = await stage.endpoint({ url, events: ENDS });
      expect(await firstAttempt(endpoint)).toMatchObject({ status: null, error: 'refused_address' });
    },
  );
});

test('of a response of 10 MB only the beginning is read, and the log keeps 2 KiB', async () => {
  const receiver = await stage.receiver({ answer: (response) => void response.end('a'.repeat(10_000_000)) });
  const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
  expect(await firstAttempt(endpoint)).toMatchObject({ status: 200, error: null, responseBody: 'a'.repeat(2_048) });
  expect(await stage.deliveriesTo(endpoint)).toMatchObject([{ state: 'delivered' }]);
});

test('a receiver that is gone is disabled, and the other endpoint of the account learns it', async () => {
  const [gone, other] = [
    await stage.receiver({ answer: (response) => void response.writeHead(410).end() }),
    await stage.receiver(),
  ];
  const endpoint = await stage.endpoint({ url: gone.url, events: ENDS });
  await stage.endpoint({ url: other.url, events: ['webhook.endpoint_disabled'] });
  expect(await firstAttempt(endpoint)).toMatchObject({ status: 410, error: 'status' });
  const [told] = await other.until(1);
  const [row] = await stage.database.side.$queryRaw<{ disabledAt: Date }[]>`
    SELECT disabled_at AS "disabledAt" FROM webhook_endpoints WHERE id = ${endpoint.id}::uuid`;
  const disabledAtMs = row?.disabledAt.getTime() ?? 0;
  const expected = endpointDisabledBody({ id: endpoint.id, url: gone.url, reason: 'gone', disabledAtMs });
  expect(JSON.parse(told?.body ?? '')).toEqual(JSON.parse(expected));
});

test('a receiver that asks to wait gets nothing more until then', async () => {
  const receiver = await stage.receiver({ answer: waitAnHour });
  const endpoint = await stage.endpoint({ url: receiver.url, events: ENDS });
  await firstAttempt(endpoint);
  const witness = await stage.receiver();
  await stage.endpoint({ url: witness.url, events: ENDS });
  await stage.place(BUSY);
  await witness.until(1);
  expect(receiver.received).toHaveLength(1);
  await stage.passTime(endpoint);
  await receiver.until(3);
  await expect
    .poll(async () => (await stage.deliveriesTo(endpoint)).map(({ state }) => state))
    .toEqual(['delivered', 'delivered']);
});
