import { request as httpRequest } from 'node:http';
import { CAMPAIGN_LIMITS, campaignEnvelopeSchema, campaignUploadEnvelopeSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const ADA = '+12025551000';
const CSV = { 'Content-Type': 'text/csv' };

let api: TestApi;
let account: TestAccount;
let id: string;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
  id = await campaignOf(account);
});
afterAll(() => api.close());

async function campaignOf({ agentId, key }: TestAccount): Promise<string> {
  const answer = await api.request('POST', '/campaigns', { key, json: { name: 'Autumn', agent_id: agentId } });
  return campaignEnvelopeSchema.parse(answer.json).campaign.id;
}

const send = (body: string | Uint8Array<ArrayBuffer>) =>
  api.request('POST', `/campaigns/${id}/contacts`, { key: account.key, body, headers: CSV });
const uploadIn = (answer: { readonly json: unknown }) => campaignUploadEnvelopeSchema.parse(answer.json).upload;
const upload = async (number: number) =>
  uploadIn(await api.request('GET', `/campaigns/${id}/uploads/${number}`, { key: account.key }));
const linesOf = (count: number, first = 12_025_560_000) =>
  Array.from({ length: count }, (_, at) => `+${first + at}\n`).join('');

/** As if the campaign had so many. */
async function fill(contacts: number): Promise<void> {
  await api.database.side.$executeRaw`
    UPDATE campaigns SET contact_count = ${contacts}::int WHERE id = ${id}::uuid`;
}

function add(...numbers: readonly string[]) {
  const json = { contacts: numbers.map((number) => ({ to_number: number })) };
  return api.request('POST', `/campaigns/${id}/contacts`, { key: account.key, json });
}

async function uploadState(number: number): Promise<string | null> {
  const answer = await api.request('GET', `/campaigns/${id}/uploads/${number}`, { key: account.key });
  return answer.status === 200 ? uploadIn(answer).state : null;
}

/** A request whose body the test sends in parts. */
function open(headers: Readonly<Record<string, string>> = {}) {
  const request = httpRequest(`${api.url}/api/v1/campaigns/${id}/contacts`, {
    method: 'POST',
    headers: { ...CSV, 'X-API-Key': account.key, ...headers },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
  status.catch(() => {});
  return { request, status };
}

describe('a file that cannot be taken is refused with its line, and nothing of it is added', () => {
  const utf16 = new Uint8Array(Buffer.from(`\uFEFFphone\n${ADA}\n`, 'utf16le'));
  it.each<[string, string | Uint8Array<ArrayBuffer>, string]>([
    ['a quote that is never closed', `phone,name\n${ADA},Ada\n+12025551001,"Ben\n`, 'line 3'],
    ['UTF-16', utf16, 'line 1'],
    ['Latin-1', new Uint8Array(Buffer.from(`phone,name\n${ADA},Zo\xEB\n`, 'latin1')), 'line 2'],
    ['an empty file', '', 'no header'],
    ['no header', linesOf(3), 'line 1'],
    ['a header twice', `phone,name,Name\n${ADA},Ada,Ben\n`, 'line 1'],
    ['a million columns', `phone${',x'.repeat(400_000)}\n`, '400001 columns in line 1'],
    ['a header of more than a megabyte', `phone${',x'.repeat(1_000_000)}\n`, 'no header'],
  ])('400: %s', async (_what, file, part) => {
    const answer = await send(file);
    expect([answer.status, answer.error().param]).toEqual([400, 'body']);
    expect(answer.error().message).toContain(part);
    expect(await upload(1)).toMatchObject({ state: 'failed', accepted: 0 });
    expect(uploadIn(await send(`phone\n${ADA}\n`))).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it('413: 256 MiB and a byte, before they are sent', async () => {
    const { request, status } = open({ 'Content-Length': String(2 ** 28 + 1) });
    request.flushHeaders();
    expect(await status).toBe(413);
    request.destroy();
  });
});

describe('a campaign of a million contacts', () => {
  it('takes duplicates, and one more than a million not', async () => {
    await send(`phone\n${ADA}\n`);
    await fill(CAMPAIGN_LIMITS.contacts - 1);
    expect(uploadIn(await send(`phone\n${ADA}\n${linesOf(1)}${ADA}\n`))).toMatchObject({ accepted: 1, duplicates: 2 });
    expect(uploadIn(await send(`phone\n${ADA}\n`))).toMatchObject({ accepted: 0, duplicates: 1 });
    expect((await send(`phone\n${linesOf(2)}`)).error()).toMatchObject({ code: 'too_many_contacts' });
    expect(await upload(4)).toMatchObject({ state: 'failed' });
  });

  it('takes duplicates as JSON, too', async () => {
    await send(`phone\n${ADA}\n`);
    await fill(CAMPAIGN_LIMITS.contacts);
    expect(uploadIn(await add(ADA, ADA))).toMatchObject({ accepted: 0, duplicates: 2 });
    expect((await add(ADA, '+12025551001')).error()).toMatchObject({ code: 'too_many_contacts' });
  });
});

describe('an upload that is cut off', () => {
  const file = `phone,name\n${linesOf(1_200).replaceAll('\n', ',"Ada ""the first"" Lovelace"\n')}`;

  it.each([0, 3, 11, 15, 40, 0.5, 0.999])('after %d leaves nothing, and the next is added whole', async (point) => {
    const { request, status } = open();
    const length = point < 1 && point > 0 ? Math.floor(point * file.length) : point;
    request.flushHeaders();
    if (length > 0) request.write(file.slice(0, length));
    await expect.poll(async () => await uploadState(1)).toBe('receiving');
    request.destroy();
    await expect(status).rejects.toThrow('socket hang up');
    await expect.poll(async () => await uploadState(1)).toBe('failed');
    expect(uploadIn(await send(file))).toMatchObject({ number: 2, accepted: 1_200, duplicates: 0 });
    const [row] = await api.database.side.$queryRaw<{ contacts: number }[]>`
      SELECT count(*)::int AS contacts FROM campaign_contacts WHERE campaign_id = ${id}::uuid`;
    expect(row).toEqual({ contacts: 1_200 });
  });
});

describe('accounts that send at once', () => {
  it('do not wait for one that sends slowly', async () => {
    const slow = open();
    slow.request.write('phone\n+1202');
    await expect
      .poll(async () => (await api.request('GET', `/campaigns/${id}/uploads/1`, { key: account.key })).status)
      .toBe(200);
    const neighbor = await api.account();
    const campaign = await campaignOf(neighbor);
    const answer = await api.request('POST', `/campaigns/${campaign}/contacts`, {
      key: neighbor.key,
      body: `phone\n${linesOf(2_500)}`,
      headers: CSV,
    });
    expect(uploadIn(answer)).toMatchObject({ accepted: 2_500 });
    slow.request.end('5551000\n');
    expect(await slow.status).toBe(201);
  });
});
