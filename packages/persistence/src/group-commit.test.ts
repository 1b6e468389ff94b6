import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type World } from '../test/world.ts';
import { createGroupCommit } from './group-commit.ts';
import { sqlStateOf } from './sql-state.ts';

/** Statements that complete one at a time, when the test releases them. */
function heldStatements() {
  const statements: { readonly items: readonly string[]; readonly go: () => void }[] = [];
  const run = (items: readonly string[]) =>
    new Promise<readonly string[]>((resolve) => {
      statements.push({ items, go: () => resolve(items.map((item) => `${item}!`)) });
    });
  return { statements, run };
}

test('items that arrive during a statement share the next one', async () => {
  const { statements, run } = heldStatements();
  const commits = createGroupCommit({ run, keyOf: (item: string) => item });
  const first = commits.submit('a');
  await expect.poll(() => statements.length).toBe(1);
  const rest = ['b', 'c', 'd'].map((item) => commits.submit(item));
  statements[0]?.go();
  expect(await first).toBe('a!');
  await expect.poll(() => statements.length).toBe(2);
  statements[1]?.go();
  expect(await Promise.all(rest)).toEqual(['b!', 'c!', 'd!']);
  expect(statements.map(({ items }) => items)).toEqual([['a'], ['b', 'c', 'd']]);
});

test('a statement never carries a key twice, and items with one key keep their order', async () => {
  const { statements, run } = heldStatements();
  const commits = createGroupCommit({ run, keyOf: (item: string) => item.charAt(0) });
  const results = Promise.all(['a1', 'b1', 'a2', 'a3', 'b2'].map((item) => commits.submit(item)));
  for (let sent = 1; sent <= 3; sent += 1) {
    await expect.poll(() => statements.length).toBe(sent);
    statements[sent - 1]?.go();
  }
  expect(await results).toEqual(['a1!', 'b1!', 'a2!', 'a3!', 'b2!']);
  expect(statements.map(({ items }) => items)).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']]);
});

test('the commit hook receives what each statement changed, before the writers have their results', async () => {
  const { statements, run } = heldStatements();
  const log: string[] = [];
  const commits = createGroupCommit({
    run,
    keyOf: (item: string) => item,
    isChange: (result, item) => result === `${item}!` && item !== 'b',
    onCommitted: (keys) => log.push(`hook ${keys.join(' ')}`),
  });
  const written = ['a', 'b', 'c'].map((item) => commits.submit(item).then((result) => log.push(result)));
  await expect.poll(() => statements.length).toBe(1);
  expect(log).toEqual([]);
  statements[0]?.go();
  await Promise.all(written);
  expect(log).toEqual(['hook a c', 'a!', 'b!', 'c!']);
  const unchanged = commits.submit('b');
  await expect.poll(() => statements.length).toBe(2);
  statements[1]?.go();
  await unchanged;
  expect(log).toHaveLength(4);
});

test('an error that Postgres did not raise fails the whole batch, without a retry', async () => {
  let runs = 0;
  const run = async (): Promise<readonly string[]> => {
    runs += 1;
    throw new Error('the connection broke');
  };
  const commits = createGroupCommit({ run, keyOf: (item: string) => item });
  const results = await Promise.allSettled(['a', 'b'].map((item) => commits.submit(item)));
  expect(results).toMatchObject([{ reason: { message: 'the connection broke' } }, { status: 'rejected' }]);
  expect(runs).toBe(1);
});

describe('a statement that Postgres rejects', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  /** Statements over `items`, of which the first `times` are rejected with this SQLSTATE. */
  function rejecting(state: string, times: number) {
    const sizes: number[] = [];
    const announced: string[] = [];
    const run = async (items: readonly string[]) => {
      sizes.push(items.length);
      if (sizes.length <= times) {
        await world.database.hot.$executeRawUnsafe(`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`);
      }
      return items.map((item) => `${item}!`);
    };
    const onCommitted = (keys: readonly string[]) => void announced.push(...keys);
    const commits = createGroupCommit({ run, keyOf: (item: string) => item, isChange: () => true, onCommitted });
    return { sizes, announced, commits };
  }
  const submit = ({ commits }: ReturnType<typeof rejecting>, items: readonly string[]) =>
    Promise.allSettled(items.map((item) => commits.submit(item)));

  test.each(['40P01', '40001'])('for a deadlock or a conflict (%s) is retried whole', async (state) => {
    const batch = rejecting(state, 2);
    expect(await submit(batch, ['a', 'b'])).toMatchObject([{ value: 'a!' }, { value: 'b!' }]);
    expect(batch.sizes).toEqual([2, 2, 2]);
    expect(batch.announced).toEqual(['a', 'b']);
  });

  test('for a deadlock on every try fails with the error of Postgres', async () => {
    const batch = rejecting('40P01', 100);
    const [result] = await submit(batch, ['a']);
    expect(result?.status === 'rejected' && sqlStateOf(result.reason)).toBe('40P01');
    expect(batch.sizes).toHaveLength(5);
    expect(batch.announced).toEqual([]);
  });

  test('for a unique violation is split in halves, and the row at fault is retried', async () => {
    const batch = rejecting('23505', 4);
    const results = await submit(batch, ['a', 'b', 'c', 'd']);
    expect(results.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'fulfilled'));
    expect(batch.sizes).toEqual([4, 2, 1, 1, 1, 1, 2]);
    expect(batch.announced).toEqual(['a', 'b', 'c', 'd']);
  });

  test('for any other reason fails the batch at once', async () => {
    const batch = rejecting('55P03', 1);
    const results = await submit(batch, ['a', 'b']);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batch.sizes).toEqual([2]);
  });
});
