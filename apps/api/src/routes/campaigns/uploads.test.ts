import { request as httpRequest } from 'node:http';
import { campaignEnvelopeSchema, campaignUploadEnvelopeSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const ADA = '+12025551000';
const BEN = '+12025551001';
const CSV = { 'Content-Type': 'text/csv' };

let api: TestApi;
let account: TestAccount;
let id: string;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
  id = await campaign();
});
afterAll(() => api.close());

async function campaign(changes: object = {}): Promise<string> {
  const json = { name: 'Autumn', agent_id: account.agentId, ...changes };
  const answer = await api.request('POST', '/campaigns', { key: account.key, json });
  return campaignEnvelopeSchema.parse(answer.json).campaign.id;
}

const send = (body: string | Uint8Array<ArrayBuffer>, query = '', headers: Readonly<Record<string, string>> = CSV) =>
  api.request('POST', `/campaigns/${id}/contacts${query}`, { key: account.key, body, headers });
const get = (path: string) => api.request('GET', `/campaigns/${id}${path}`, { key: account.key });
const uploadIn = (answer: { readonly json: unknown }) => campaignUploadEnvelopeSchema.parse(answer.json).upload;
const upload = async (number: number) => uploadIn(await get(`/uploads/${number}`));
const linesOf = (count: number, first = 12_025_560_000) =>
  Array.from({ length: count }, (_, at) => `+${first + at}\n`).join('');

/** A request whose body the test sends in parts. */
function open() {
  const request = httpRequest(`${api.url}/api/v1/campaigns/${id}/contacts?file_name=cut.csv`, {
    method: 'POST',
    headers: { ...CSV, 'X-API-Key': account.key },
  });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
  return { request, status };
}

describe('POST /campaigns/{id}/contacts with a file', () => {
  it('201: adds the contacts, and names the lines that are none', async () => {
    id = await campaign({ default_country: 'US', columns: { metadata: { crm_id: 'ID' } } });
    const answer = await send(
      `\uFEFFPhone;ID\r\n(202) 555-1000;7\r\n${BEN};8\r\n${ADA};9\r\n12;10\r\n`,
      '?file_name=a.csv',
    );
    expect(answer.status).toBe(201);
    expect(uploadIn(answer)).toMatchObject({
      number: 1,
      state: 'ready',
      file_name: 'a.csv',
      rows: 4,
      accepted: 2,
      duplicates: 1,
      invalid: 1,
      errors: [{ line: 5, column: 'Phone', value: '••' }],
    });
    expect(await upload(1)).toEqual(uploadIn(answer));
    const errors = await get('/uploads/1/errors.csv');
    expect(errors.text.split('\r\n').slice(0, 2)).toEqual([
      'line,column,value,message',
      expect.stringMatching(/^5,Phone,••,/),
    ]);
  });

  it('201: more lines than one statement takes; JSON still works, and counts them as duplicates', async () => {
    expect(uploadIn(await send(`phone\n${linesOf(4_500)}`))).toMatchObject({
      rows: 4_500,
      accepted: 4_500,
      invalid: 0,
    });
    const json = { contacts: [{ to_number: '+12025560000' }, { to_number: ADA }] };
    const answer = await api.request('POST', `/campaigns/${id}/contacts`, { key: account.key, json });
    expect(uploadIn(answer)).toMatchObject({ number: 2, accepted: 1, duplicates: 1 });
    const wrong = await api.request('POST', `/campaigns/${id}/contacts`, {
      key: account.key,
      json: { contacts: [{}] },
    });
    expect([wrong.status, wrong.error().param]).toEqual([400, 'contacts.0.to_number']);
  });

  it('400 with the line: a file that cannot be taken; nothing of it is added', async () => {
    for (const [file, param, line] of [
      [`name\n${ADA}\n`, 'body', 'line 1'],
      [`phone\n${linesOf(1_500)}"`, 'body', 'line 1502'],
      [Buffer.from('phone\nZo\xEB\n', 'latin1'), 'body', 'line 2'],
    ] as const) {
      const answer = await send(file);
      expect([answer.status, answer.error().param]).toEqual([400, param]);
      expect(answer.error().message).toContain(line);
    }
    expect(await upload(2)).toMatchObject({
      state: 'failed',
      accepted: 0,
      error: expect.stringContaining('line 1502'),
    });
    expect(uploadIn(await send(`phone\n${linesOf(1_500)}`))).toMatchObject({
      number: 4,
      accepted: 1_500,
      duplicates: 0,
    });
  });

  it('400 with on_invalid=refuse for one line that is no contact', async () => {
    const answer = await send(`phone\n${ADA}\n12\n`, '?on_invalid=refuse');
    expect([answer.status, answer.error()]).toMatchObject([400, { code: 'lines_refused', details: { upload: 1 } }]);
    expect((await upload(1)).errors).toMatchObject([{ line: 3 }]);
    expect(uploadIn(await send(`phone\n${ADA}\n`, '?on_invalid=refuse'))).toMatchObject({ accepted: 1 });
  });

  it('404 for another account’s campaign, 409 for one that is over, 413 and 415', async () => {
    await api.request('POST', `/campaigns/${id}/cancel`, { key: account.key, json: {} });
    expect((await send(`phone\n${ADA}\n`)).error()).toMatchObject({ code: 'campaign_state' });
    account = await api.account();
    expect((await send(`phone\n${ADA}\n`)).error().code).toBe('campaign_not_found');
    expect((await get('/uploads/1')).error().code).toBe('upload_not_found');
    expect((await get('/results.csv')).error().code).toBe('campaign_not_found');
    const large = await send(`phone\n${ADA}\n`, '', { ...CSV, 'Content-Length': String(2 ** 28 + 1) }).catch(
      () => null,
    );
    expect(large === null || large.error().code === 'body_too_large').toBe(true);
    expect((await send(ADA, '', { 'Content-Type': 'text/csv; charset=iso-8859-1' })).status).toBe(415);
  });

  it('one at a time; what breaks off fails, and the next is added whole', async () => {
    const { request, status } = open();
    request.write(`phone\n${linesOf(2_500)}`);
    await expect.poll(async () => (await get('/uploads/1')).status).toBe(200);
    await expect.poll(async () => (await upload(1)).rows).toBeGreaterThanOrEqual(1_500);
    const second = await send(`phone\n${ADA}\n`);
    expect([second.status, second.error().code]).toEqual([409, 'upload_in_progress']);
    const first = id;
    id = await campaign();
    const other = await send(`phone\n${ADA}\n`);
    expect([other.status, other.error().details]).toMatchObject([429, { thing: 'contact_uploads', max: 1 }]);
    id = first;
    const json = { contacts: [{ to_number: ADA }] };
    const added = await api.request('POST', `/campaigns/${id}/contacts`, { key: account.key, json });
    expect(added.error().code).toBe('upload_in_progress');
    request.destroy();
    await expect(status).rejects.toThrow('socket hang up');
    await expect.poll(async () => (await upload(1)).state).toBe('failed');
    expect(await upload(1)).toMatchObject({ accepted: 0, file_name: 'cut.csv', error: 'The connection broke off.' });
    expect(uploadIn(await send(`phone\n${linesOf(2_500)}`))).toMatchObject({ accepted: 2_500, duplicates: 0 });
    expect(api.logLines.join('')).not.toContain('+12025560001');
  });
});

describe('GET /campaigns/{id}/results.csv', () => {
  it('has every contact with its variables and its metadata, page by page, and no formula', async () => {
    id = await campaign({ columns: { variables: { note: 'note', cost: 'name' }, metadata: { crm_id: 'ID' } } });
    await send(`phone,note,name,ID\n${ADA},=1+1,"A; ""B""",7\n${linesOf(1_200).replaceAll('\n', ',,Ben,8\n')}`);
    const answer = await get('/results.csv');
    expect(answer.status).toBe(200);
    const lines = answer.text.split('\r\n');
    expect(lines[0]).toBe(
      'upload,line,to_number,attempts,outcome,answered_by,talk_seconds,cost,call_id,started_at,answered_at,ended_at,variables.cost,note,metadata.crm_id',
    );
    expect(lines[1]).toBe(`1,2,${ADA},0,,,,,,,,,"A; ""B""",'=1+1,7`);
    expect(lines).toHaveLength(1_203);
    await api.request('POST', `/campaigns/${id}/cancel`, { key: account.key, json: {} });
    expect((await get('/results.csv')).text).toContain(`1,2,${ADA},0,not_dialled,`);
  });
});
