import { randomUUID } from 'node:crypto';
import { accountIdSchema } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { expect, it } from 'vitest';
import { createClientParents, MOST_AT_ONCE, MOST_PER_SECOND } from './client-parents.ts';

const newAccount = () => accountIdSchema.parse(randomUUID());
const header = (traceId: string, flags = '01') => `00-${traceId}-00f067aa0ba902b7-${flags}`;
/** Within every ratio, and within none but 1. */
const LOW = `${'0'.repeat(31)}1`;
const HIGH = `ffffffff${'0'.repeat(24)}`;

it('continues traces that are sampled within our ratio', () => {
  const parentFor = createClientParents(fakeClock(), { ratio: 0.05, asksParent: true });
  expect(parentFor(header(LOW), newAccount())).toBe(header(LOW));
  expect(parentFor(header(HIGH), newAccount())).toBeNull();
  expect(parentFor(header(LOW, '00'), newAccount())).toBeNull();
  expect(parentFor('nonsense', newAccount())).toBeNull();
  expect(parentFor(undefined, newAccount())).toBeNull();
});

it('goes by the ratio alone if the sampler does not ask the parent: a client cannot opt out', () => {
  const parentFor = createClientParents(fakeClock(), { ratio: 0.05, asksParent: false });
  expect(parentFor(header(LOW, '00'), newAccount())).toBe(header(LOW));
  expect(parentFor(header(HIGH), newAccount())).toBeNull();
});

it('gives an account that picks its ids its allowance alone, and its neighbor theirs', async () => {
  const clock = fakeClock();
  const parentFor = createClientParents(clock, { ratio: 0.05, asksParent: true });
  const [greedy, neighbor] = [newAccount(), newAccount()];
  const taken = () => Array.from({ length: 1_000 }, () => parentFor(header(LOW), greedy)).filter((one) => one !== null);
  expect(taken()).toHaveLength(MOST_AT_ONCE);
  expect(parentFor(header(LOW), neighbor)).not.toBeNull();
  await clock.advance(1_000);
  expect(taken()).toHaveLength(MOST_PER_SECOND);
});
