import { randomUUID } from 'node:crypto';
import { webhookMessageIdSchema, type WebhookMessageId } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { readBodies } from './read-bodies.ts';

const PART = 50;
const claimed = (count: number) =>
  Array.from({ length: count }, () => ({ messageId: webhookMessageIdSchema.parse(randomUUID()), body: null }));

const storeThat = (factsOf: (messageIds: readonly WebhookMessageId[]) => Promise<never[]>) => ({
  factsOf,
  keepBodies: async () => new Map<WebhookMessageId, string>(),
});

test('the next part is read while the present one is, and no third', async () => {
  const begun: number[] = [];
  const store = storeThat(async (messageIds) => {
    begun.push(messageIds.length);
    return [];
  });
  const parts = readBodies(store, claimed(3 * PART + 1));
  await parts.next();
  expect(begun).toEqual([PART, PART]);
  for await (const part of parts) expect(part.kind).toBe('ready');
  expect(begun).toEqual([PART, PART, PART, 1]);
});

test('once the store is away, all that follows is unread, also the part that was begun', async () => {
  const store = storeThat(() => Promise.reject(new Error('away')));
  const parts: unknown[] = [];
  for await (const { kind, deliveries } of readBodies(store, claimed(2 * PART))) parts.push([kind, deliveries.length]);
  expect(parts).toEqual([['unread', 2 * PART]]);
});
