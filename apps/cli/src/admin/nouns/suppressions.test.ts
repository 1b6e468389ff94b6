import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAdminDriver, UNKNOWN_ID, type AdminDriver } from '../testing/admin-driver.ts';

const ADA = '+12025551000';
const BEN = '+12025551001';
const listSchema = z.object({ suppressions: z.array(z.looseObject({ id: z.string(), number: z.string() })) });

let driver: AdminDriver;
let account: string;
beforeAll(async () => {
  driver = await openAdminDriver();
});
beforeEach(async () => {
  account = await driver.createAccount();
});
afterAll(() => driver.close());

const of = (...args: readonly string[]) => ['suppressions', ...args, '--account', account];
const entries = async (...flags: readonly string[]) =>
  listSchema.parse(await driver.json(of('list', ...flags))).suppressions;

describe('the list of an account', () => {
  test('numbers are added, checked, listed and removed, and the changes audited', async () => {
    expect(await driver.json(of('add', `${ADA},${BEN}`, '--reason', 'an e-mail', '--actor', 'alice'))).toEqual({
      added: 2,
    });
    expect(await driver.json(of('add', ADA))).toEqual({ added: 0 });
    expect(await driver.actorOf(account)).toBeTypeOf('string');
    expect(await driver.json(of('check', `${ADA},+12025551002`))).toMatchObject({
      results: [
        { suppressed: true, by: 'account', suppression: { reason: 'an e-mail' } },
        { suppressed: false, by: null },
      ],
    });
    const [entry] = await entries('--number', ADA);
    const removed = await driver.json(of('remove', entry?.id ?? '', '--reason', 'a mistake'));
    expect(removed).toMatchObject({ suppression: { number: ADA, kind: 'manual' } });
    expect((await entries()).map(({ number }) => number)).toEqual([BEN]);
    const again = await driver.run(of('remove', entry?.id ?? '', '--reason', 'a mistake'));
    expect([again.exitCode, again.stderr]).toEqual([1, expect.stringContaining('has no entry')]);
  });

  test('an opt-out is lifted with a reason alone', async () => {
    await driver.database.side.$executeRaw`
      INSERT INTO suppressions (account_id, number, kind, source, created_by, created_at)
      VALUES (${account}::uuid, 12025551000, 'opt_out', 'call', 'callee', now())`;
    const [entry] = await entries('--kind', 'opt_out');
    const without = await driver.run(of('remove', entry?.id ?? ''));
    expect([without.exitCode, without.stderr]).toEqual([2, expect.stringContaining('--reason: is missing')]);
    const { stdout } = await driver.run(of('remove', entry?.id ?? '', '--reason', 'asked to be called'));
    expect(stdout).toBe(`Removed the opt_out entry of ${ADA}.\n`);
    expect(await entries()).toEqual([]);
  });

  test('a file is imported from a path or standard input, and its invalid lines are named', async () => {
    const path = join(driver.dataDir, 'numbers.csv');
    await writeFile(path, `name,phone\nAda,${ADA}\nBen,202-555-1001\n`);
    expect(await driver.json(of('import', path, '--column', 'phone'))).toMatchObject({
      lines: 2,
      added: 1,
      invalid: 1,
      problems: [{ line: 3, value: '202-555-1001' }],
    });
    expect(await driver.json(of('import', '-'), `${ADA}\n${BEN}\n`)).toMatchObject({ added: 1, already_listed: 1 });
    const wrong = await driver.run(of('import', path, '--column', 'fax'));
    expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining('name, phone')]);
    const missing = await driver.run(of('import', '/no/such/file.csv'));
    expect([missing.exitCode, missing.stderr]).toEqual([1, expect.stringContaining('there is no such file')]);
  });
});

test('a number of the platform’s list is suppressed for every account, and on the list of none', async () => {
  await driver.json(['suppressions', 'add', '+12025552000', '--platform', '--reason', 'a regulator']);
  const check = await driver.json(of('check', '+12025552000'));
  expect(check).toMatchObject({ results: [{ by: 'platform', suppression: null }] });
  expect(await entries()).toEqual([]);
  const listed = await driver.run(['suppressions', 'list', '--platform']);
  expect(listed.stdout).toContain('+12025552000');
});

test.each([
  [['add', ADA], 2, 'set either --account <id> or --platform'],
  [['add', ADA, '--platform', '--account', UNKNOWN_ID], 2, 'set either --account <id> or --platform'],
  [['add', ADA, '--account', UNKNOWN_ID], 1, 'There is no account'],
  [['add', '2025551000', '--platform'], 2, '<numbers>: must be an E.164'],
  [['list', '--platform', '--kind', 'x'], 2, '--kind: must be opt_out or manual'],
])('%j exits with %d and says why', async (args, exitCode, message) => {
  const ended = await driver.run(['suppressions', ...args]);
  expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
});
