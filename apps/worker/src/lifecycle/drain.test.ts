import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { drain, type DrainDeps } from './drain.ts';

const LIMIT_MS = 60_000;

/** A driver with one live call, which records the requests that it receives. */
function stage(options: { readonly endsOnHangUp: boolean }) {
  const clock = fakeClock();
  const asked: string[] = [];
  let live = 1;
  let wake: (() => void)[] = [];
  const end = () => {
    live = 0;
    for (const resolve of wake) resolve();
    wake = [];
  };
  const deps: DrainDeps = {
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
    consumer: { stopTaking: async () => void asked.push('stopTaking') },
    driver: {
      liveCalls: () => live,
      idle: () => (live === 0 ? Promise.resolve() : new Promise((resolve) => wake.push(resolve))),
      hangUpAll() {
        asked.push('hangUpAll');
        if (options.endsOnHangUp) end();
      },
      handOverAll: async () => void asked.push('handOverAll'),
    },
  };
  return { clock, asked, end, deps };
}

test('a call that ends in time is never hung up', async () => {
  const { clock, asked, end, deps } = stage({ endsOnHangUp: true });
  const draining = drain(deps, LIMIT_MS, new AbortController().signal);
  await clock.advance(LIMIT_MS - 1);
  end();
  await draining;
  expect(asked).toEqual(['stopTaking']);
});

test('a call that has not ended by the limit is hung up at the limit and not before', async () => {
  const { clock, asked, deps } = stage({ endsOnHangUp: true });
  const draining = drain(deps, LIMIT_MS, new AbortController().signal);
  await clock.advance(LIMIT_MS - 1);
  expect(asked).toEqual(['stopTaking']);
  await clock.advance(1);
  await draining;
  expect(asked).toEqual(['stopTaking', 'hangUpAll']);
});

test('a hurried drain hangs up at once', async () => {
  const { clock, asked, deps } = stage({ endsOnHangUp: true });
  const hurry = new AbortController();
  const draining = drain(deps, LIMIT_MS, hurry.signal);
  await clock.advance(1_000);
  hurry.abort();
  await draining;
  expect(asked).toEqual(['stopTaking', 'hangUpAll']);
});

test.each([
  ['never answers', () => new Promise<void>(() => undefined)],
  ['fails', () => Promise.reject(new Error('Redis is unavailable'))],
])('a consumer that %s when asked to stop does not delay the drain', async (_, stopTaking) => {
  const { clock, asked, end, deps } = stage({ endsOnHangUp: true });
  end();
  let over = false;
  const draining = drain({ ...deps, consumer: { stopTaking } }, LIMIT_MS, new AbortController().signal);
  void draining.then(() => (over = true));
  await clock.advance(1_000);
  expect({ over, asked }).toEqual({ over: true, asked: [] });
});

test('a call that cannot be settled is handed over, and the drain does not wait forever', async () => {
  const { clock, asked, deps } = stage({ endsOnHangUp: false });
  const draining = drain(deps, LIMIT_MS, new AbortController().signal);
  await clock.advance(LIMIT_MS + 10_000);
  await draining;
  expect(asked).toEqual(['stopTaking', 'hangUpAll', 'handOverAll']);
});
