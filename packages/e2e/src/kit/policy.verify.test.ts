import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callingPolicyVersionsSchema } from '@outdial/contracts';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { runProgram, type Ended } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

const ADA = '+12025550143';
/** No hour is open. */
const CLOSED = JSON.stringify({ windows: { default: {} } });

let product: Product;
let account: SeededAccount;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
  account = await product.account();
  dir = await mkdtemp(join(tmpdir(), 'outdial-policy-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await product.close();
});

function outdial(args: readonly string[], input?: string): Promise<Ended> {
  const env = { OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: product.url, XDG_CONFIG_HOME: dir };
  const options = input === undefined ? { env } : { env, input };
  return runProgram([...serviceArgs('apps/client/src/main.ts'), ...args], options).ended;
}

it('shows, sets and checks the policy, and says by its exit code whether a number may be called', async () => {
  const open = await outdial(['policy', 'check', ADA]);
  expect([open.code, open.stdout]).toEqual([0, expect.stringContaining('allowed')]);
  const path = join(dir, 'policy.json');
  await writeFile(path, CLOSED);
  const set = await outdial(['policy', 'set', path]);
  expect([set.code, set.stdout]).toEqual([0, expect.stringMatching(/default\s+closed/)]);
  const closed = await outdial(['policy', 'check', ADA, '--zone', 'America/Denver']);
  expect([closed.code, closed.stdout]).toEqual([1, expect.stringMatching(/America\/Denver\s+\S+\s+closed/)]);
  expect((await outdial(['policy', 'show'])).stdout).toContain('There is no floor.');
  const call = await outdial(['call', ADA, '--agent', 'Reminder', '--var', 'name=Ada', '--on-closed', 'reject']);
  expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('calling policy')]);
  expect((await outdial(['policy', 'set', '-'], '{"windows": {}}')).code).toBe(0);
  const { stdout } = await outdial(['policy', 'versions', '--json']);
  const page = { has_more: false, next_cursor: null, ...JSON.parse(stdout) };
  expect(callingPolicyVersionsSchema.parse(page).versions.map(({ version }) => version)).toEqual([2, 1]);
});

it('says why a number without a time zone may not be called, and what to do', async () => {
  await outdial(['policy', 'set', '-'], CLOSED);
  const satellite = await outdial(['policy', 'check', '+881612345678']);
  expect([satellite.code, satellite.stdout]).toEqual([
    1,
    expect.stringMatching(/not within 90 days[\s\S]*give one with --zone/),
  ]);
});

it('names what is wrong with a file', async () => {
  const wrong = await outdial(['policy', 'set', '-'], '{"windows": {"default": {"mon": ["8-9"]}}}');
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('windows.default.mon.0')]);
  const broken = await outdial(['policy', 'set', '-'], '{');
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('Standard input is not valid JSON')]);
});
