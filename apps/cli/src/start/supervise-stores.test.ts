import type { ServerEnd, StoreName } from '@outdial/local-stores';
import { fakeClock } from '@outdial/testkit';
import { describe, expect, test } from 'vitest';
import { createTerminal } from '../terminal/terminal.ts';
import { superviseStores } from './supervise-stores.ts';

const KILLED: ServerEnd = { code: null, signal: 'SIGKILL' };

function stage(restart: (store: StoreName) => Promise<void> = async () => {}) {
  let written = '';
  const terminal = createTerminal({ write: (text) => ((written += text), true) }, {});
  const clock = fakeClock();
  let tell: ((store: StoreName, end: ServerEnd) => void) | undefined;
  const givenUp = superviseStores({
    stores: { onExit: (listener) => void (tell = listener), restart },
    dataDir: '/data',
    terminal,
    clock,
  });
  /** Ends a store, and waits for the reaction. */
  const end = async (store: StoreName, how: ServerEnd = KILLED) => {
    tell?.(store, how);
    await clock.advance(1);
  };
  return { clock, end, givenUp, lines: () => written.trimEnd().split('\n') };
}

describe('a store that ends by itself', () => {
  test('is restarted, with a line when it ends and a line when it is back', async () => {
    const restarted: StoreName[] = [];
    const { end, lines } = stage(async (store) => void restarted.push(store));
    await end('redis');
    await end('postgres', { code: 1, signal: null });
    expect(restarted).toEqual(['redis', 'postgres']);
    expect(lines()).toEqual([
      'Redis ended (SIGKILL); restarting it.',
      'Redis is back.',
      'Postgres ended (exit code 1); restarting it.',
      'Postgres is back.',
    ]);
  });

  test('for the fourth time within a minute is not restarted, and its log is named', async () => {
    const restarted: StoreName[] = [];
    const { end, givenUp } = stage(async (store) => void restarted.push(store));
    for (let time = 1; time <= 4; time += 1) await end('redis');
    expect(restarted).toHaveLength(3);
    expect((await givenUp).message).toBe(
      'Redis ended (SIGKILL) for the fourth time within a minute: see /data/redis/redis.log for why, and start again once that is fixed.',
    );
  });

  test('now and then is always restarted, and each store is counted separately', async () => {
    const restarted: StoreName[] = [];
    const { clock, end } = stage(async (store) => void restarted.push(store));
    for (let time = 1; time <= 12; time += 1) {
      await end('redis');
      await end('postgres');
      await clock.advance(20_001);
    }
    expect(restarted).toHaveLength(24);
  });

  test('and cannot be restarted stops the product with the reason', async () => {
    const { end, givenUp, lines } = stage(() => Promise.reject(new Error('The port was taken: start again.')));
    await end('postgres');
    expect((await givenUp).message).toBe('The port was taken: start again.');
    expect(lines()).toEqual(['Postgres ended (SIGKILL); restarting it.']);
  });
});
