import { createLogger } from '@outdial/kernel';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { startSweep } from './sweep-loop.ts';

test('expired sessions and links are deleted at the start and once an hour, and a deletion is logged', async () => {
  const clock = fakeClock();
  const lines: unknown[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const found = [3, 0, 0];
  let rounds = 0;
  const sweep = async () => {
    const sessions = found[rounds] ?? 0;
    rounds += 1;
    return { sessions, verifications: 0, emailVerifications: 0, invitations: 0, emails: 0 };
  };
  const loop = startSweep({ sweep, clock, logger });
  await clock.advance(0);
  expect(rounds).toBe(1);
  await clock.advance(6 * 3_600_000);
  expect(rounds).toBeGreaterThanOrEqual(5);
  expect(rounds).toBeLessThanOrEqual(9);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'info', deleted: { sessions: 3 } });
  await loop.stop();
});
