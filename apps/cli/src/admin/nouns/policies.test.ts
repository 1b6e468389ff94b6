import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openAdminDriver, UNKNOWN_ID, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
let account: string;
beforeAll(async () => {
  driver = await openAdminDriver();
});
beforeEach(async () => {
  account = await driver.createAccount();
});
afterAll(() => driver.close());

/** Standard error has the reminder that a policy is no legal advice. */
async function json(...args: readonly string[]): Promise<unknown> {
  const { exitCode, stdout } = await driver.run(['policy', ...args, '--json']);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}
const NIGHT = JSON.stringify({ windows: { default: { mon: ['22:00-24:00'] } }, caps: [{ hours: 24, max: 2 }] });

describe('the policy of an account', () => {
  test('is set from a pack or a file, and shown with its version', async () => {
    const of = ['--account', account];
    expect(await json('show', ...of)).toMatchObject({ calling_policy: { version: 0, pack: 'open' }, floor: null });
    await json('set', ...of, '--pack', 'us', '--actor', 'alice');
    const set = await driver.run(['policy', 'set', ...of, '--file', '-'], { stdin: NIGHT });
    expect([set.exitCode, set.stdout]).toEqual([0, expect.stringContaining('22:00-24:00')]);
    expect(set.stderr).toContain('not legal advice');
    expect(await json('show', ...of)).toMatchObject({
      calling_policy: { version: 2, saved_by: 'operator', caps: [{ hours: 24, max: 2 }] },
    });
    const again = await driver.run(['policy', 'set', ...of, '--file', '-'], { stdin: NIGHT });
    expect(again.stdout).toContain('was in force already');
    const actors = await driver.database.side.$queryRaw`
      SELECT actor FROM audit_entries WHERE action = 'policy.save' AND subject_id = ${account} ORDER BY id LIMIT 1`;
    expect(actors).toEqual([{ actor: 'alice' }]);
  });

  test.each([
    [['set', '--pack', 'eu'], 2, '--pack: must be open, standard, us'],
    [['set'], 2, '--pack: set either --pack <name> or --file <file>'],
    [['set', '--pack', 'us', '--file', 'x.json'], 2, '--pack: set either'],
    [['set', '--file', '/no/such/file.json'], 1, 'there is no such file'],
    [['set', '--file', '-'], 1, 'windows.default.mon.0: must be like 08:00-21:00'],
    [['show', '--account', UNKNOWN_ID], 1, 'There is no account'],
  ])('%j exits with %d and says why', async (args, exitCode, message) => {
    const stdin = '{"windows": {"default": {"mon": ["8-9"]}}}';
    const ended = await driver.run(['policy', ...args.slice(0, 1), '--account', account, ...args.slice(1)], { stdin });
    expect(ended).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });
});

test('the floor is set and cleared, with what that changes, and holds for every account', async () => {
  expect(await json('floor', 'show')).toEqual({ floor: null });
  const set = await driver.run(['policy', 'floor', 'set', '--pack', 'us']);
  expect(set.stdout).toContain('holds for every account');
  expect(await json('show', '--account', account)).toMatchObject({ floor: { pack: 'us' } });
  expect((await driver.run(['policy', 'floor', 'set', '--pack', 'us'])).stdout).toContain('Nothing changed');
  const cleared = await driver.run(['policy', 'floor', 'clear']);
  expect(cleared.stdout).toContain('There is no floor');
  const audited = await driver.database.side.$queryRaw`
    SELECT data->'settings'->>'pack' AS pack FROM audit_entries WHERE action = 'policy.set_floor' ORDER BY id`;
  expect(audited).toEqual([{ pack: 'us' }, { pack: null }]);
});

test('a new account begins with the default: the first one that was given, until an operator sets another', async () => {
  const other = await openAdminDriver();
  try {
    const create = async (pack: string) => {
      const env = { OUTDIAL_DEFAULT_POLICY: pack };
      const { stdout } = await other.run(['accounts', 'create', '--name', 'Acme', '--json'], { env });
      const { account: made }: { account: { id: string } } = JSON.parse(stdout);
      const shown = await other.run(['policy', 'show', '--account', made.id, '--json']);
      return JSON.parse(shown.stdout);
    };
    expect(await create('')).toMatchObject({ calling_policy: { version: 1, pack: 'standard', saved_by: 'default' } });
    expect(await create('us')).toMatchObject({ calling_policy: { version: 1, pack: 'standard' } });
    await other.run(['policy', 'default', 'set', '--pack', 'open']);
    expect(await create('us')).toMatchObject({ calling_policy: { version: 0 } });
    const wrong = await other.run(['accounts', 'create', '--name', 'Acme'], { env: { OUTDIAL_DEFAULT_POLICY: 'eu' } });
    expect([wrong.exitCode, wrong.stderr]).toEqual([2, expect.stringContaining('OUTDIAL_DEFAULT_POLICY')]);
  } finally {
    await other.close();
  }
});
