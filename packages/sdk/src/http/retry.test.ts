import { describe, expect, it } from 'vitest';
import {
  AuthenticationError,
  CapacityExceededError,
  ConflictError,
  ConnectionError,
  InsufficientFundsError,
  InvalidRequestError,
  NotFoundError,
  OutcomeUnknownError,
  OutdialError,
  PermissionError,
  RateLimitedError,
  ServerError,
  ServiceUnavailableError,
} from '../errors.ts';
import { json, refusal, sdkWith } from '../../test/sdk-with.ts';
import type { Outdial } from '../outdial.ts';

const NEW = { to_number: '+12025550100', agent_id: 'a' };
const CALL = { id: 'c-1', status: 'queued' };
const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a create', () => {
  it.each([
    ['408', () => refusal(408, 'request_timeout')],
    ['429 rate_limited', () => refusal(429, 'rate_limited')],
    ['502 of a proxy', () => new Response('<html>', { status: 502 })],
    ['503', () => refusal(503, 'service_unavailable')],
    ['503 outcome_unknown', () => refusal(503, 'outcome_unknown')],
    ['504', () => new Response('', { status: 504 })],
    ['409 of an earlier attempt', () => refusal(409, 'idempotency_in_progress')],
    ['a broken connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is repeated under the same key after %s', async (_what, fail) => {
    const { outdial, requests } = sdkWith((_, attempt) => (attempt < 4 ? fail() : json(201, { call: CALL })));
    expect((await outdial.calls.create(NEW)).id).toBe('c-1');
    const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(await Promise.all(requests.map((request) => request.json()))).toEqual([NEW, NEW, NEW, NEW]);
  });

  it('is repeated three times and no more', async () => {
    const { outdial, requests } = sdkWith(() => refusal(503, 'outcome_unknown', { details: { call_id: 'c-1' } }));
    const error = await failureOf(outdial.calls.create(NEW));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ code: 'outcome_unknown', details: { call_id: 'c-1' }, requestId: 'r-1' });
    expect(requests).toHaveLength(4);
  });

  it('has the key that it was given, and otherwise a new one each time', async () => {
    const { outdial, requests } = sdkWith(() => json(201, { call: CALL }));
    await outdial.calls.create(NEW, { idempotencyKey: 'order 1042' });
    await outdial.calls.create(NEW);
    await outdial.calls.create(NEW);
    const keys = requests.map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys[0]).toBe('order 1042');
    expect(new Set(keys).size).toBe(3);
  });
});

it.each([
  ['a refusal', 402, 'insufficient_funds', {}],
  ['no free slot', 429, 'capacity_exceeded', {}],
  ['no place for another scheduled call', 429, 'too_many_scheduled', { headers: { 'Retry-After': '60' } }],
  ['a limit of things', 429, 'rate_limited', { details: { scope: 'account', thing: 'agents', max: 10 } }],
  ['a wait of more than 30 s', 503, 'no_trunk_available', { headers: { 'Retry-After': '31' } }],
  ['a fault of the service', 500, 'internal_error', {}],
])('%s is not repeated', async (_what, status, code, more) => {
  const { outdial, requests } = sdkWith(() => refusal(status, code, more));
  expect(await failureOf(outdial.calls.create(NEW))).toMatchObject({ status, code });
  expect(requests).toHaveLength(1);
});

it('a POST without a key is repeated only where it was refused for its rate', async () => {
  const settings = { name: 'A', first_message: 'Hello.' };
  const broken = sdkWith(() => Promise.reject(new TypeError('fetch failed')));
  expect(await failureOf(broken.outdial.agents.create(settings))).toBeInstanceOf(ConnectionError);
  expect(broken.requests).toHaveLength(1);
  const limited = sdkWith((_, attempt) =>
    attempt === 1 ? refusal(429, 'rate_limited') : json(201, { agent: { id: 'a' } }),
  );
  await limited.outdial.agents.create(settings);
  expect(limited.requests).toHaveLength(2);
});

it('to end a call is repeated: it changes nothing twice', async () => {
  const { outdial, requests } = sdkWith((_, attempt) =>
    attempt === 1 ? Promise.reject(new TypeError('fetch failed')) : json(202, { call: CALL }),
  );
  await outdial.calls.end('c-1');
  expect(requests).toHaveLength(2);
});

const RESULT = { message_id: 'm-1', attempt: 1, status: 204, error: null, duration_ms: 1 };

/** How often a request is sent whose answers are all lost. */
async function attemptsOf(ask: (outdial: Outdial) => Promise<unknown>): Promise<number> {
  const { outdial, requests } = sdkWith(() => Promise.reject(new TypeError('fetch failed')));
  expect(await failureOf(ask(outdial))).toBeInstanceOf(ConnectionError);
  return requests.length;
}

it('of the requests about webhooks, those that would send or make something twice are not repeated', async () => {
  for (const once of [
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.create({ url: 'https://example.com/hooks' }),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.rotateSecret('e-1'),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.test('e-1'),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.replays.start('e-1', { since: '2026-12-04T10:00:00.000Z' }),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.perCallSecret.make(),
    ({ webhookListeners }: Outdial) => webhookListeners.create(),
    ({ webhookMessages }: Outdial) => webhookMessages.resend('m-1', 'e-1'),
  ]) {
    expect(await attemptsOf(once)).toBe(1);
  }
  for (const repeated of [
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.update('e-1', { state: 'disabled' }),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.deliveries('e-1').page(),
    ({ webhookEndpoints }: Outdial) => webhookEndpoints.replays.cancel('e-1', 'r-1'),
    ({ webhookListeners }: Outdial) => webhookListeners.report('l-1', RESULT),
  ]) {
    expect(await attemptsOf(repeated)).toBe(4);
  }
});

it('a deletion whose answer was lost has succeeded when nothing is there any more', async () => {
  const { outdial } = sdkWith((_, attempt) =>
    attempt === 1 ? Promise.reject(new TypeError('fetch failed')) : refusal(404, 'secret_not_found'),
  );
  await expect(outdial.secrets.delete('CRM')).resolves.toBeUndefined();
  const unknown = sdkWith(() => refusal(404, 'secret_not_found'));
  await expect(unknown.outdial.secrets.delete('CRM')).rejects.toThrow(NotFoundError);
});

it('pauses grow, are shortened at random, and obey Retry-After up to 30 s', async () => {
  for (const [random, headers, expected] of [
    [1, {}, [500, 1_000, 2_000]],
    [0.5, {}, [250, 500, 1_000]],
    [1, { 'Retry-After': '30' }, [30_000, 30_000, 30_000]],
    [1, { 'Retry-After': '1' }, [1_000, 1_000, 2_000]],
    [0, { 'Retry-After': 'Fri, 04 Dec 2026 10:00:03 GMT' }, [3_000, 0, 0]],
  ] as const) {
    const { outdial, pauses } = sdkWith(() => refusal(503, 'service_unavailable', { headers }), { random });
    await failureOf(outdial.account.get());
    expect(pauses).toEqual(expected);
  }
});

it.each([
  [400, 'invalid_request', InvalidRequestError],
  [401, 'invalid_api_key', AuthenticationError],
  [402, 'insufficient_funds', InsufficientFundsError],
  [403, 'scope_missing', PermissionError],
  [404, 'call_not_found', NotFoundError],
  [409, 'version_conflict', ConflictError],
  [413, 'body_too_large', InvalidRequestError],
  [422, 'model_not_priced', InvalidRequestError],
  [429, 'rate_limited', RateLimitedError],
  [429, 'capacity_exceeded', CapacityExceededError],
  [429, 'too_many_scheduled', RateLimitedError],
  [500, 'internal_error', ServerError],
  [503, 'no_trunk_available', ServiceUnavailableError],
  [403, 'a_code_of_a_later_server', PermissionError],
] as const)('%i %s is an error of its family, with its facts', async (status, code, Family) => {
  const more = { param: 'x', details: { a: 1 }, headers: { 'Retry-After': '60' } };
  const error = await failureOf(sdkWith(() => refusal(status, code, more)).outdial.account.get());
  expect(error).toBeInstanceOf(Family);
  expect(error).toBeInstanceOf(OutdialError);
  const facts = { name: Family.name, status, code, param: 'x', details: { a: 1 }, requestId: 'r-1' };
  expect(error).toMatchObject({ ...facts, message: `It is ${code}.`, retryAfterSeconds: 60 });
});

it('an abort ends a request and its pauses with the reason of the signal', async () => {
  const stop = new AbortController();
  const reason = new Error('enough');
  const { outdial, requests } = sdkWith(() => {
    stop.abort(reason);
    return refusal(503, 'service_unavailable');
  });
  expect(await failureOf(outdial.account.get({ signal: stop.signal }))).toBe(reason);
  expect(requests).toHaveLength(1);
});

it('a call whose outcome stays unknown: the error has the key, and a new `create` with it repeats the same request', async () => {
  const { outdial, requests } = sdkWith((_, attempt) =>
    attempt <= 4 ? refusal(504, 'service_unavailable') : json(201, { call: { id: 'c-1' } }),
  );
  const error = await outdial.calls.create(NEW).catch((thrown: unknown) => thrown);
  if (!(error instanceof OutdialError) || error.idempotencyKey === null) throw new Error('it has a key');
  await outdial.calls.create(NEW, { idempotencyKey: error.idempotencyKey });
  expect(requests).toHaveLength(5);
  expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key')))).toEqual(
    new Set([error.idempotencyKey]),
  );
});
