import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startService, type TestService } from '../../../test/service.ts';
import { ApiError } from './api-error.ts';
import { accountPath, queryString, request } from './request.ts';

const schema = z.strictObject({ ok: z.boolean() });

let service: TestService;
beforeEach(async () => {
  service = await startService();
});
afterEach(() => service.close());

/** What `request` throws. */
async function rejection(): Promise<ApiError> {
  const error: unknown = await request({ path: '/session', schema }).catch((error: unknown) => error);
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

describe('a request', () => {
  it('sends its body as JSON and returns the parsed response', async () => {
    let body: Promise<string> | undefined;
    service.answerWith((request, response) => {
      body = text(request);
      request.on('end', () => response.end('{"ok":true}'));
    });
    expect(await request({ method: 'POST', path: '/session', body: { a: 1 }, schema })).toEqual({ ok: true });
    expect([service.requests[0]?.method, service.requests[0]?.url, await body]).toEqual([
      'POST',
      '/api/dashboard/session',
      '{"a":1}',
    ]);
    expect(service.requests[0]?.headers['content-type']).toBe('application/json');
  });

  it('fails with the service’s message, code and details', async () => {
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
    expect(await rejection()).toMatchObject({
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
  ])('fails as unexpected when the response is %d %s', async (status, body) => {
    service.answerWith((_, response) => void response.writeHead(status).end(body));
    expect(await rejection()).toMatchObject({ code: 'unexpected_answer', status });
  });

  it('fails as unreachable when the service does not answer', async () => {
    service.answerWith((_, response) => void response.destroy());
    expect(await rejection()).toMatchObject({ code: 'unreachable', status: 0 });
  });
});

describe('a path', () => {
  it('encodes each part', () => {
    expect(accountPath('a/b', 'agents', '?x')).toBe('/accounts/a%2Fb/agents/%3Fx');
  });

  it('has a query of the given values alone', () => {
    expect(queryString({ status: 'ended', to_number: '+1202', cursor: undefined, agent: '', limit: 50 })).toBe(
      '?status=ended&to_number=%2B1202&limit=50',
    );
    expect(queryString({})).toBe('');
  });
});
