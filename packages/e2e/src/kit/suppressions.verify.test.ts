import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callEnvelopeSchema, suppressionListSchema } from '@outdial/contracts';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProduct, type Product } from '../../test/product.ts';
import { runProgram, type Ended } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

const ADA = '+12025550143';
const BEN = '+12025550144';

let product: Product;
let account: SeededAccount;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
  account = await product.account();
  dir = await mkdtemp(join(tmpdir(), 'outdial-suppressions-'));
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
const json = async (args: readonly string[]) => JSON.parse((await outdial([...args, '--json'])).stdout);

/** The entries, as `--json` prints them. */
async function listed(...flags: readonly string[]) {
  const page = { has_more: false, next_cursor: null, ...(await json(['suppressions', 'list', ...flags])) };
  return suppressionListSchema.parse(page).suppressions;
}

it('adds, checks, lists and imports numbers, and says by its exit code whether one is on a list', async () => {
  expect((await outdial(['suppressions', 'check', ADA])).code).toBe(0);
  const added = await outdial(['suppressions', 'add', ADA, '--reason', 'an e-mail']);
  expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/^1 added\.\n/)]);
  const checked = await outdial(['suppressions', 'check', ADA, BEN]);
  expect([checked.code, checked.stdout]).toEqual([1, expect.stringContaining('on a do-not-call list')]);
  const path = join(dir, 'crm.csv');
  await writeFile(path, `name,phone\nAda,${ADA}\nBen,${BEN}\nCleo,202\n`);
  const imported = await outdial(['suppressions', 'import', path, '--column', 'phone']);
  expect([imported.code, imported.stdout]).toEqual([1, expect.stringContaining('line 4: 202 must be an E.164')]);
  expect((await outdial(['suppressions', 'import', '-'], `${ADA}\n${BEN}\n`)).code).toBe(0);
  expect((await listed()).map(({ number }) => number)).toEqual([BEN, ADA]);
  const call = await outdial(['call', ADA, '--agent', 'Reminder', '--var', 'name=Ada']);
  expect([call.code, call.stderr]).toEqual([1, expect.stringContaining('do-not-call list')]);
});

it('passes an opt-out on, which no key of the account removes', async () => {
  const placed = callEnvelopeSchema.parse(
    await json(['call', '+12025550101', '--agent', 'Reminder', '--var', 'name=Ada']),
  );
  const { id, callee_number: number } = placed.call;
  const answer = await outdial(['calls', 'opt-out', id, '--reason', 'no more calls']);
  expect([answer.code, answer.stdout]).toEqual([0, `${number} opted out and is not called any more.\n`]);
  const [entry] = await listed('--number', number);
  const removed = await outdial(['suppressions', 'remove', entry?.id ?? '', '--reason', 'x']);
  expect([removed.code, removed.stdout]).toEqual([1, '']);
  expect((await outdial(['suppressions', 'remove', 'x'])).code).toBe(2);
});
