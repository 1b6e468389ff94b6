import { randomUUID } from 'node:crypto';
import { callIdSchema } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { LinesOfCalls } from './lines-of-calls.ts';
import type { FromModelHost } from './messages.ts';

const MODEL = { component: 'realtime', credentialId: 'own', model: 'gpt' } as const;

test('a call whose provider answers without end adds evidence once a second, and a neighbor’s is not delayed', async () => {
  const clock = fakeClock();
  const posted: FromModelHost[] = [];
  const lines = new LinesOfCalls(clock, (message) => void posted.push(message));
  const [hostile, neighbor] = [callIdSchema.parse(randomUUID()), callIdSchema.parse(randomUUID())];
  const [flooding, quiet] = [lines.of(hostile), lines.of(neighbor)];
  for (let sent = 0; sent < 10_000; sent += 1) flooding.used(MODEL, 'success');
  expect(posted).toHaveLength(30);
  quiet.used(MODEL, 'fault');
  expect(posted.at(-1)).toMatchObject({ kind: 'used', callId: neighbor, outcome: 'fault' });
  await clock.advance(2_000);
  for (let sent = 0; sent < 10_000; sent += 1) flooding.used(MODEL, 'success');
  expect(posted).toHaveLength(33);
});
