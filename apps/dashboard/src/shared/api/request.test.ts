import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startService, type TestService } from '../../../test/service.ts';
import { ApiError } from './api-error.ts';
import { accountPath, queryString, request } from './request.ts';

const answer = z.strictObject({ ok: z.boolean() });

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** What `request` throws. */
async function refusal(): Promise<ApiError> {
  const error: unknown = await request({ path: '/session', answer }).catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error(`not refused by an ApiError, but ${String(error)}`);
  return error;
}

describe('a request', () => {
  it('sends its body as JSON and gives what the contract makes of the answer', async () => {
    let body: Promise<string> | undefined;
    service.answerWith((request, response) => {
      body = text(request);
      request.on('end', () => response.end('{"ok":true}'));
    });
    expect(await request({ method: 'POST', path: '/session', body: { a: 1 }, answer })).toEqual({ ok: true });
    expect([service.requests[0]?.method, service.requests[0]?.url, await body]).toEqual([
      'POST',
      '/api/dashboard/session',
      '{"a":1}',
    ]);
    expect(service.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('is refused in the service’s own words, with all that belongs to them', async () => {
    const error = {
      code: 'too_many_attempts',
      message: 'Wait a minute.',
      param: 'email',
      details: [1],
      request_id: 'r-1',
    };
    service.answerWith((_, response) => {
      response.writeHead(429, { 'Retry-After': '60' }).end(JSON.stringify({ error }));
    });
    expect(await refusal()).toMatchObject({
      code: 'too_many_attempts',
      message: 'Wait a minute.',
      status: 429,
      param: 'email',
      details: [1],
      requestId: 'r-1',
      retryAfterSeconds: 60,
    });
  });

  it.each([
    [200, '{"ok":"yes"}'],
    [200, 'no JSON'],
    [502, '<html>Bad gateway</html>'],
    [400, '{"error":{"code":"of_the_future","message":"?","request_id":"r"}}'],
  ])('is refused as unexpected, not believed, when it is answered by %d %s', async (status, body) => {
    service.answerWith((_, response) => void response.writeHead(status).end(body));
    expect(await refusal()).toMatchObject({ code: 'unexpected_answer', status });
  });

  it('is refused as unreachable when nobody answers', async () => {
    service.answerWith((_, response) => void response.destroy());
    expect(await refusal()).toMatchObject({ code: 'unreachable', status: 0 });
  });
});

describe('a path', () => {
  it('is made of encoded parts', () => {
    expect(accountPath('a/b', 'agents', '?x')).toBe('/accounts/a%2Fb/agents/%3Fx');
  });

  it('has a query of what is given', () => {
    expect(queryString({ status: 'ended', to_number: '+1202', cursor: undefined, agent: '', limit: 50 })).toBe(
      '?status=ended&to_number=%2B1202&limit=50',
    );
    expect(queryString({})).toBe('');
  });
});
