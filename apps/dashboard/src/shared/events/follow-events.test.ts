import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../../../test/service.ts';
import type { ApiError } from '../api/api-error.ts';
import { followEvents, type StreamState } from './follow-events.ts';

let service: TestService;
let stop: (() => void) | undefined;
beforeEach(async () => {
  service = await startService();
});
afterEach(async () => {
  stop?.();
  await service.close();
});

function follow(after?: string, silenceMs?: number) {
  const ids: (string | null)[] = [];
  const states: StreamState[] = [];
  const rejections: ApiError[] = [];
  stop = followEvents({
    path: '/accounts/1/changes',
    after,
    ...(silenceMs === undefined ? {} : { silenceMs }),
    onEvent: ({ id }) => void ids.push(id),
    onState: (state) => void states.push(state),
    onRejected: (error) => void rejections.push(error),
  });
  return { ids, states, rejections };
}

const STREAM = { 'Content-Type': 'text/event-stream' };
const lastEventIds = () => service.requests.map(({ headers }) => headers['last-event-id']);

describe('a stream of events', () => {
  it('resumes after the last event when its connection breaks, and ends when the service has no more', async () => {
    service.answerWith((request, response) => {
      const after = Number(request.headers['last-event-id'] ?? 0);
      if (after === 3) response.writeHead(204).end();
      else response.writeHead(200, STREAM).write(`id: ${after + 1}\ndata: x\n\n`, () => response.destroy());
    });
    const { ids, states } = follow();
    await expect.poll(() => states.at(-1)).toBe('over');
    expect(ids).toEqual(['1', '2', '3']);
    expect(lastEventIds()).toEqual([undefined, '1', '2', '3']);
    expect(states).toContain('live');
    expect(states).toContain('waiting');
  });

  it('starts after the given event', async () => {
    service.answerWith((_, response) => void response.writeHead(204).end());
    const { states } = follow('41');
    await expect.poll(() => states.at(-1)).toBe('over');
    expect(lastEventIds()).toEqual(['41']);
  });

  it('reconnects while a store is down or there are too many streams, and stops when it is rejected', async () => {
    const statuses = [503, 429, 401];
    service.answerWith((_, response) => {
      const error = { code: 'not_signed_in', message: 'Sign in first.', request_id: 'r' };
      response.writeHead(statuses.shift() ?? 500).end(JSON.stringify({ error }));
    });
    const { rejections, states } = follow();
    await expect.poll(() => states.at(-1)).toBe('over');
    expect(rejections).toMatchObject([{ code: 'not_signed_in', status: 401 }]);
    expect(service.requests).toHaveLength(3);
  });

  it('is not live while a hanging service sends no heartbeat, and is live again once it answers', async () => {
    let isHanging = true;
    service.answerWith((_, response) => {
      // The first connection hangs after its first event; the next ones hang before they answer.
      if (service.requests.length === 1) response.writeHead(200, STREAM).write('id: 1\ndata: x\n\n');
      else if (!isHanging) response.writeHead(200, STREAM).write('id: 2\ndata: x\n\n');
    });
    const { ids, states } = follow(undefined, 200);
    await expect.poll(() => states.at(-1)).toBe('live');
    await expect.poll(() => states.at(-1)).toBe('waiting');
    isHanging = false;
    await expect.poll(() => ids).toContain('2');
    expect(states).toContain('waiting');
    expect(lastEventIds()[1]).toBe('1');
  });

  it('reports nothing after it is stopped', async () => {
    service.answerWith((_, response) => void response.writeHead(200, STREAM).write('id: 1\ndata: x\n\n'));
    const { ids, states } = follow();
    await expect.poll(() => ids).toEqual(['1']);
    stop?.();
    service.dropConnections();
    expect(states.at(-1)).toBe('live');
  });
});
