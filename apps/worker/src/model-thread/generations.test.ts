import type { GenerationLimit } from '@outdial/calls';
import { newAccountId } from '@outdial/calls/testing';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { Generations } from './generations.ts';

const [acme, other] = [newAccountId(), newAccountId()];
const LIMIT: GenerationLimit = { key: 'plan', most: 4, isShared: true, accountId: acme };

function world() {
  const clock = fakeClock();
  const generations = new Generations(clock);
  const log: string[] = [];
  const start = (name: string, limit: Partial<GenerationLimit> = {}) =>
    generations.start(
      { ...LIMIT, ...limit },
      { begin: () => void log.push(name), refused: () => void log.push(`${name} refused`) },
    );
  return { clock, log, start };
}
/** What a place that is free leads to takes some turns of promises. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('as many texts are spoken at once as the plan has, and the next begins when one is over', async () => {
  const { log, start } = world();
  const own = { isShared: false };
  const ends = ['a', 'b', 'c', 'd', 'e'].map((name) => start(name, own));
  await settled();
  expect(log).toEqual(['a', 'b', 'c', 'd']);
  ends[1]?.();
  await settled();
  expect(log).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('an account whose texts wait by the hundred takes no place from another, and leaves it one at once', async () => {
  const { log, start } = world();
  const ends = Array.from({ length: 150 }, (_, nth) => start(`acme ${nth}`));
  await settled();
  expect(log).toEqual(['acme 0', 'acme 1', 'acme 2']);
  start('other 0', { accountId: other });
  start('other 1', { accountId: other });
  await settled();
  expect(log.slice(3)).toEqual(['other 0']);
  ends[0]?.();
  ends[1]?.();
  await settled();
  expect(log.slice(4)).toContain('other 1');
});

test('a text that has no place in time is refused, and one that was given up takes none', async () => {
  const { clock, log, start } = world();
  const first = start('first', { most: 1 });
  await settled();
  start('late', { most: 1 });
  const givenUp = start('given up', { most: 1 });
  givenUp();
  await clock.advance(2_499);
  expect(log).toEqual(['first']);
  await clock.advance(1);
  expect(log).toEqual(['first', 'late refused']);
  start('last', { most: 1 });
  first();
  await settled();
  expect(log).toEqual(['first', 'late refused', 'last']);
});

test('beyond the waiting places of an account its texts are refused at once', async () => {
  const { log, start } = world();
  for (let nth = 0; nth < 204; nth += 1) start(String(nth));
  await settled();
  expect(log.slice(3)).toEqual(['203 refused']);
});

test('each plan has its own places', async () => {
  const { log, start } = world();
  for (const key of ['plan', 'plan', 'another']) start(key, { key, most: 1 });
  await settled();
  expect(log).toEqual(['plan', 'another']);
});
