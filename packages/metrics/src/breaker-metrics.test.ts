import { breakersOf, type OpenBreaker } from '@outdial/calls';
import { newAccountId } from '@outdial/calls/testing';
import { agentIdSchema } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { measureBreakers } from './breaker-metrics.ts';
import { createExposition } from './exposition.ts';
import { createReadingSuccess } from './reading-success.ts';

const accountId = newAccountId();
const call = { accountId, agentId: agentIdSchema.parse(randomUUID()), agentVersion: 1 };
const model = { component: 'llm', provider: 'openai', credentialId: 'key', isOwn: false, isFallback: false } as const;
const openOf = (name: string, owner: OpenBreaker['owner']): OpenBreaker => ({
  breaker: breakersOf({ ...model, model: name }, call).model,
  streak: 1,
  sinceMs: 0,
  untilMs: 15_000,
  forMs: 15_000,
  needsCheck: false,
  owner,
});

async function exposed(read: () => Promise<readonly OpenBreaker[]>): Promise<string> {
  const exposition = createExposition();
  measureBreakers(exposition, createReadingSuccess(exposition), { read, clock: systemClock });
  return exposition.expose();
}

test('the open breakers that accounts share are counted by provider and component, without those of one account', async () => {
  const text = await exposed(async () => [openOf('one', null), openOf('other', null), openOf('own', accountId)]);
  expect(text).toContain('outdial_breakers_open{use="openai/llm"} 2\n');
  expect(text).not.toContain(accountId);
});

test('while Redis is away no count is shown, and the reading has failed', async () => {
  const text = await exposed(() => Promise.reject(new Error('away')));
  expect(text).not.toContain('outdial_breakers_open{');
  expect(text).toContain('outdial_reading_success{reading="breakers"} 0');
});
