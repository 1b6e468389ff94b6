import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { campaignContactListSchema, campaignEnvelopeSchema } from '@outdial/contracts';
import { serviceArgs } from '@outdial/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { openProduct, type Product } from '../../test/product.ts';
import { runProgram, type Ended } from '../../test/run-program.ts';
import type { SeededAccount } from '../../test/seeds.ts';

const FILE = 'Phone,Name\n(202) 555-0101,Ada\n+12025550103,Ben\n+12025550103,Ben again\n12,Cleo\n';

let product: Product;
let account: SeededAccount;
let dir: string;
beforeAll(async () => {
  product = await openProduct();
  account = await product.account();
  dir = await mkdtemp(join(tmpdir(), 'outdial-campaigns-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true });
  await product.close();
});

function outdial(args: readonly string[], input?: string): Promise<Ended> {
  const env = { OUTDIAL_API_KEY: account.key, OUTDIAL_BASE_URL: product.url, XDG_CONFIG_HOME: dir };
  const options = input === undefined ? { env } : { env, input };
  return runProgram([...serviceArgs('apps/client/src/main.ts'), 'campaigns', ...args], options).ended;
}
const json = async (args: readonly string[]) => JSON.parse((await outdial([...args, '--json'])).stdout);
const campaignIn = async (args: readonly string[]) => campaignEnvelopeSchema.parse(await json(args)).campaign;

it('goes from a file to its results, and reports what is wrong with the file by line', async () => {
  const columns = ['--country', 'US', '--number-column', 'Phone', '--var-column', 'name=Name'];
  const bounds = ['--max-concurrent', '1', '--weight', '20', '--budget', '5'];
  const draft = await campaignIn(['create', '--name', 'Reminders', '--agent', 'Reminder', ...columns, ...bounds]);
  const { id } = draft;
  expect(draft).toMatchObject({ state: 'draft', max_concurrent: 1, weight: 20, budget: 5 });
  const empty = await outdial(['start', id]);
  expect([empty.code, empty.stderr]).toEqual([1, expect.stringContaining('no contacts')]);
  const path = join(dir, 'people.csv');
  await writeFile(path, FILE);
  const refused = await outdial(['upload', id, path, '--on-invalid', 'refuse']);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  const sent = await outdial(['upload', id, path]);
  expect([sent.code, sent.stdout]).toEqual([
    1,
    expect.stringMatching(/\nadded +2\nduplicates +1\nno contact +1\nline 5: /),
  ]);
  const errors = await outdial(['errors', id, '2']);
  expect([errors.code, errors.stdout]).toEqual([0, expect.stringMatching(/^\u{feff}?line,.*\r\n5,Phone,/u)]);
  expect((await outdial(['upload', id, '-'], 'Phone,Name\n+12025550104,Dora\n')).code).toBe(0);
  expect((await campaignIn(['update', id, '--max-concurrent', 'none'])).max_concurrent).toBeNull();
  expect((await outdial(['start', id])).stdout).toBe(`Campaign ${id} is running.\n`);
  const followed = await outdial(['show', id, '--follow']);
  expect([followed.code, followed.stdout.split('\n').at(-2)]).toEqual([
    0,
    expect.stringMatching(/^completed: 3 of 3 done · 0 open/),
  ]);
  const { contacts } = campaignContactListSchema.partial().parse(await json(['contacts', id]));
  expect(contacts?.map(({ outcome }) => outcome)).toEqual(['busy', 'declined', 'invalid_destination']);
  const busy = campaignContactListSchema.partial().parse(await json(['contacts', id, '--outcome', 'busy']));
  expect(busy.contacts?.map(({ number }) => number)).toEqual(['+12025550101']);
  expect((await outdial(['contacts', id, '--outcome', 'engaged'])).code).toBe(2);
  const results = await outdial(['results', id]);
  expect([results.code, results.stdout.split('\r\n').length]).toEqual([0, 5]);
  expect((await outdial(['cancel', id])).code).toBe(1);
  expect((await outdial(['delete', id])).stdout).toBe(`Campaign ${id} is deleted. Its calls stay.\n`);
  expect((await outdial(['delete', id])).stderr).toContain('no campaign with this id');
  expect((await outdial(['show', account.agentId])).stderr).toContain('no campaign with this id');
  expect((await outdial(['create', '--name', 'x', '--agent', 'Reminder', '--weight', 'much'])).code).toBe(2);
});

it('a language model creates, fills, starts and steers a campaign, and reads its calls', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { 'X-API-Key': account.key };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${product.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const use = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })).structuredContent;
  // Its second call would begin after a quarter of an hour.
  const settings = { name: 'By a model', agent: 'Reminder', calls_per_second: 0.001 };
  const draft = await use('create_campaign', settings);
  expect(draft).toMatchObject({ state: 'draft', progress: { contacts: 0 } });
  const { id: campaign_id } = z.object({ id: z.string() }).parse(draft);
  const contacts = ['+12025550101', '+12025550103'].map((to_number) => ({ to_number, variables: { name: 'Ada' } }));
  expect(await use('add_contacts', { campaign_id, contacts })).toEqual({ accepted: 2, duplicates: 0 });
  expect(await use('add_contacts', { campaign_id, contacts })).toEqual({ accepted: 0, duplicates: 2 });
  for (const [tool, state] of [
    ['start_campaign', 'running'],
    ['pause_campaign', 'paused'],
    ['resume_campaign', 'running'],
    ['get_campaign', 'running'],
  ] as const)
    expect(await use(tool, { campaign_id })).toMatchObject({ id: campaign_id, state });
  await campaignIn(['update', campaign_id, '--calls-per-second', 'none', '--max-concurrent', '1']);
  await expect
    .poll(async () => await use('list_calls', { campaign_id, status: 'ended' }))
    .toMatchObject({
      calls: expect.arrayContaining([expect.objectContaining({ campaign_id, ended_reason: 'busy' })]),
    });
  expect(await use('list_campaigns', { limit: 1 })).toMatchObject({ campaigns: [{ id: campaign_id }] });
  const other = z.object({ id: z.string() }).parse(await use('create_campaign', { ...settings, name: 'Never' }));
  const ended = await use('cancel_campaign', { campaign_id: other.id });
  expect(ended).toMatchObject({ state: expect.stringMatching(/^cancell/) });
  const again = await client.callTool({ name: 'start_campaign', arguments: { campaign_id: other.id } });
  expect([again.isError, again.content]).toMatchObject([true, [{ text: expect.stringContaining('get_campaign') }]]);
});
