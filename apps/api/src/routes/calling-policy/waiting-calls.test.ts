import { randomUUID } from 'node:crypto';
import { accountIdSchema } from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createWaitingCalls } from './waiting-calls.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const newAccountId = () => accountIdSchema.parse(randomUUID());

/** Looks that the test ends. */
class HeldLooks {
  readonly #endings: ((fails: boolean) => void)[] = [];
  begun = 0;

  lookAgain(): Promise<number> {
    this.begun += 1;
    return new Promise((resolve, reject) => {
      this.#endings.push((fails) => (fails ? reject(new Error('Postgres is away')) : resolve(0)));
    });
  }

  async end(fails = false): Promise<void> {
    this.#endings.shift()?.(fails);
    await new Promise(setImmediate);
  }
}

test.each([false, true])(
  'an account that saves in a loop has one look at a time, and one after its last save',
  async (fails) => {
    const look = createWaitingCalls({ logger });
    const [looks, accountId] = [new HeldLooks(), newAccountId()];
    for (let version = 1; version <= 50; version += 1) look(looks, { accountId, version });
    expect(looks.begun).toBe(1);
    await looks.end(fails);
    expect(looks.begun).toBe(2);
    await looks.end(fails);
    expect(looks.begun).toBe(2);
    look(looks, { accountId, version: 51 });
    expect(looks.begun).toBe(3);
  },
);

test('accounts do not wait for each other', () => {
  const look = createWaitingCalls({ logger });
  const looks = new HeldLooks();
  for (const accountId of [newAccountId(), newAccountId()]) look(looks, { accountId, version: 1 });
  expect(looks.begun).toBe(2);
});
