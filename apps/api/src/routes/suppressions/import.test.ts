import { request as httpRequest, type ClientRequest } from 'node:http';
import { suppressionImportSchema, suppressionListSchema } from '@outdial/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const ADA = '+12025551000';
const BEN = '+12025551001';
const CSV = { 'Content-Type': 'text/csv' };

let api: TestApi;
let account: TestAccount;
beforeAll(async () => {
  api = await openApi();
});
beforeEach(async () => {
  account = await api.account();
});
afterAll(() => api.close());

const send = (body: string | Uint8Array<ArrayBuffer>, query = '', headers: Readonly<Record<string, string>> = CSV) =>
  api.request('POST', `/suppressions/import${query}`, { key: account.key, body, headers });
const reportOf = async (...of: Parameters<typeof send>) => suppressionImportSchema.parse((await send(...of)).json);
const numbers = async () => {
  const answer = await api.request('GET', '/suppressions?limit=100', { key: account.key });
  return suppressionListSchema
    .parse(answer.json)
    .suppressions.map(({ number }) => number)
    .toSorted();
};
const linesOf = (count: number, first = 12_025_560_000) =>
  Array.from({ length: count }, (_, at) => `+${first + at}\n`).join('');

/** A request whose body the test sends in parts. */
function open(key = account.key): { readonly request: ClientRequest; readonly status: Promise<number | undefined> } {
  const url = `${api.url}/api/v1/suppressions/import`;
  const request = httpRequest(url, { method: 'POST', headers: { ...CSV, 'X-API-Key': key } });
  const status = new Promise<number | undefined>((resolve, reject) => {
    request.on('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
  });
  return { request, status };
}

describe('POST /suppressions/import', () => {
  it('200: adds the good lines, reports the bad ones, and repeated it changes nothing', async () => {
    const file = `phone\r\n${ADA}\r\n\r\n202-555-0100\r\n${BEN}\r\n${ADA}\r\n`;
    const problem = { line: 4, value: '202-555-0100', message: expect.stringContaining('E.164') };
    const report = { lines: 4, added: 2, already_listed: 1, invalid: 1, problems: [problem] };
    expect(await reportOf(file, '?reason=old%20CRM')).toEqual(report);
    expect(await reportOf(file)).toEqual({ ...report, added: 0, already_listed: 3 });
    expect(await numbers()).toEqual([ADA, BEN]);
    const rows = await api.database.side.$queryRaw`
      SELECT DISTINCT source, reason, created_by LIKE 'key:%' AS by_key FROM suppressions
      WHERE account_id = ${account.id}::uuid`;
    expect(rows).toEqual([{ source: 'import', reason: 'old CRM', by_key: true }]);
  });

  it('200: a column by the name in the header', async () => {
    const report = await reportOf(`Name,Phone,Note\n"Ada, B.",${ADA},"a ""quote"""\nBen,${BEN},\n`, '?column=phone');
    expect(report).toEqual({ lines: 2, added: 2, already_listed: 0, invalid: 0, problems: [] });
    const answer = await send(`Name,Phone\nAda,${ADA}\n`, '?column=mobile');
    expect([answer.status, answer.error().param]).toEqual([400, 'column']);
    expect(answer.error().message).toContain('Name, Phone');
  });

  it('200: more numbers than one statement takes', async () => {
    expect(await reportOf(linesOf(4_500))).toMatchObject({ lines: 4_500, added: 4_500 });
  });

  it('200 by a member of the account', async () => {
    const member = await openDesk(api, account.id, 'member');
    const answer = await member.request('POST', 'suppressions/import', { body: ADA, headers: CSV });
    expect([answer.status, await numbers()]).toEqual([200, [ADA]]);
  });

  it('409 at the bound of the account; what was added before stays', async () => {
    await api.database.side.$executeRaw`
      INSERT INTO suppression_counts (account_id, manual) VALUES (${account.id}::uuid, 4997500)`;
    const answer = await send(linesOf(5_000));
    const details = { limit: 5_000_000, added: 2_000 };
    expect([answer.status, answer.error()]).toMatchObject([409, { code: 'too_many_suppressions', details }]);
  });

  it('413: a file above 64 MiB; 400: a line without an end; 415: not CSV', async () => {
    const large = new Uint8Array(64 * 1024 * 1024 + 1).fill(0x0a);
    expect((await send(large)).error().code).toBe('body_too_large');
    const answer = await send(`${ADA}\n${'x'.repeat(200_000)}`);
    expect([answer.status, answer.error().param]).toEqual([400, 'body']);
    expect(answer.error().message).toContain('line 2');
    for (const type of ['application/json', 'text/csv; charset=iso-8859-1']) {
      expect((await send(ADA, '', { 'Content-Type': type })).status).toBe(415);
    }
  });

  it('429 while the account imports another file, and another account may import', async () => {
    const { request, status } = open();
    request.write(linesOf(2_000));
    await expect.poll(async () => (await numbers()).length).toBe(100);
    const answer = await send(ADA);
    const details = { scope: 'account', thing: 'suppression_imports', max: 1 };
    expect([answer.status, answer.error()]).toMatchObject([429, { code: 'rate_limited', details }]);
    const other = await api.account();
    const theirs = await api.request('POST', '/suppressions/import', { key: other.key, body: ADA, headers: CSV });
    expect(theirs.status).toBe(200);
    request.end();
    expect(await status).toBe(200);
    expect((await send(ADA)).status).toBe(200);
  });

  it('an upload that breaks off keeps what was added, and frees the account for the next', async () => {
    const { request, status } = open();
    request.write(linesOf(2_000));
    await expect.poll(async () => (await numbers()).length).toBe(100);
    request.destroy();
    await expect(status).rejects.toThrow('socket hang up');
    await expect.poll(async () => (await send(linesOf(2_000))).status).toBe(200);
    expect(await reportOf(linesOf(2_000))).toMatchObject({ added: 0, already_listed: 2_000 });
    expect(api.logLines.join('')).not.toContain('+12025560001');
  });
});
