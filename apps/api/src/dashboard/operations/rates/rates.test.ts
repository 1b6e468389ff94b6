import { request as httpRequest } from 'node:http';
import { deckListSchema, importedDeckSchema, rateListSchema, rateProblemsSchema } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RequestOptions } from '../../../../test/client.ts';
import { openApi, type TestApi } from '../../../../test/open-api.ts';
import type { SignedIn } from '../../../../test/sign-in.ts';

let api: TestApi;
let operator: SignedIn;
beforeAll(async () => {
  api = await openApi();
  operator = await api.signIn({ isOperator: true });
});
afterAll(() => api.close());

const PATH = '//api/dashboard/operations/rate-decks';
const ask = (method: string, path: string, options: RequestOptions = {}) =>
  api.request(method, `${PATH}${path}`, { ...options, headers: { ...operator.headers, ...options.headers } });
const HEADER = 'prefix,description,connection_fee,price_per_minute,increments';
const send = (currency: string, body: string | Uint8Array<ArrayBuffer>, type = 'text/csv') =>
  ask('POST', `/${currency}/import`, { body, headers: { 'Content-Type': type } });
const decks = async () => deckListSchema.parse((await ask('GET', '')).json).decks;
const rates = async (currency: string, query = '') =>
  rateListSchema.parse((await ask('GET', `/${currency}/rates${query}`)).json);

describe('POST …/import', () => {
  it('200: replaces the whole deck and audits the change', async () => {
    await send('EUR', `${HEADER}\n44,UK,0,0.01,60/60\n33,France,0,0.02,60/60\n`);
    const answer = await send('EUR', `${HEADER}\r\n44,"London, UK",0.05,0.012,30/6\r\n`);
    const { deck } = importedDeckSchema.parse(answer.json);
    expect(deck).toMatchObject({ currency: 'EUR', version: 2, rates: 1 });
    expect(await rates('EUR')).toEqual({
      rates: [
        {
          prefix: '44',
          description: 'London, UK',
          connection_fee: '0.05',
          price_per_minute: '0.012',
          increments: '30/6',
        },
      ],
      next_after: null,
    });
    expect(await decks()).toContainEqual(deck);
    const entries = await api.database.side.$queryRaw<{ actor: string; data: unknown }[]>`
      SELECT actor, data FROM audit_entries WHERE action = 'rates.import' AND subject_id = 'EUR' ORDER BY id`;
    const actor = `user:${operator.userId}`;
    expect(entries).toEqual([
      { actor, data: { rates: 2 } },
      { actor, data: { rates: 1 } },
    ]);
  });

  it('200: imports every rate of a deck of twenty thousand', async () => {
    const lines = Array.from({ length: 20_000 }, (_, at) => `${100_000 + at},Somewhere ${at},0.00,0.012,60/60`);
    const answer = await send('GBP', `${HEADER}\n${lines.join('\n')}\n`);
    expect(importedDeckSchema.parse(answer.json).deck).toMatchObject({ currency: 'GBP', rates: 20_000 });
  });

  it('422: each problem with its line and column, and an unchanged deck', async () => {
    await send('CHF', `${HEADER}\n41,Switzerland,0,0.01,60/60\n`);
    const answer = await send('CHF', `${HEADER}\n41,CH,free,0.01,60/60\n42\n41,CH,0,0.01,1/1\n41,CH,0,0.01,1/1`);
    expect([answer.status, answer.error().code]).toEqual([422, 'rates_not_valid']);
    const { problems, problem_count: count } = rateProblemsSchema.parse(answer.error().details);
    expect(count).toBe(3);
    expect(problems.map(({ line, column }) => [line, column])).toEqual([
      [2, 'connection_fee'],
      [3, null],
      [5, 'prefix'],
    ]);
    expect((await rates('CHF')).rates).toMatchObject([{ prefix: '41', price_per_minute: '0.01' }]);
  });

  it('422: of ten thousand problems the first hundred are named, and all are counted', async () => {
    const answer = await send('CHF', `${HEADER}\n${'x,CH,0,0.01,60/60\n'.repeat(10_000)}`);
    const { problems, problem_count: count } = rateProblemsSchema.parse(answer.error().details);
    expect([problems.length, count]).toEqual([100, 10_000]);
  });

  it('413: a file above 10 MiB, announced or not', async () => {
    const large = new Uint8Array(10 * 1024 * 1024 + 1).fill(0x78);
    const answer = await send('CHF', large);
    expect([answer.status, answer.error().code]).toEqual([413, 'body_too_large']);
    expect(await sendUnannounced(large)).toBe(413);
  });

  it('415: a body that is not CSV', async () => {
    for (const type of ['application/json', 'text/csv; charset=iso-8859-1', 'text/plain']) {
      expect((await send('CHF', HEADER, type)).error().code).toBe('unsupported_media_type');
    }
  });

  it.each(['chf', 'EURO', '1'])('400: the currency %s', async (currency) => {
    const answer = await send(currency, HEADER);
    expect([answer.status, answer.error().param]).toEqual([400, 'currency']);
  });
});

describe('GET …/rates', () => {
  it('finds by number, prefix and destination, in pages', async () => {
    await send('SEK', `${HEADER}\n4,Zone 4,0,1,1/1\n46,Sweden,0,1,1/1\n467,Sweden mobile,0,1,1/1\n47,Norway,0,1,1/1\n`);
    const found = async (query: string) => (await rates('SEK', query)).rates.map(({ prefix }) => prefix);
    expect(await found('?search=%2B46701234567')).toEqual(['4', '46', '467']);
    expect(await found('?search=46')).toEqual(['4', '46', '467']);
    expect(await found('?search=sweden')).toEqual(['46', '467']);
    expect(await found('?search=100%25')).toEqual([]);
    const first = await rates('SEK', '?limit=3');
    expect(first.next_after).toBe('467');
    expect(await found(`?limit=3&after=${first.next_after}`)).toEqual(['47']);
    expect(await rates('NOK')).toEqual({ rates: [], next_after: null });
  });

  it.each(['?limit=0', '?after=x', '?search=%00', '?more=1'])('400: %s', async (query) => {
    expect((await ask('GET', `/SEK/rates${query}`)).status).toBe(400);
  });
});

/** Sends the file in chunks, without a length. Resolves with the status that arrives before the file ends. */
function sendUnannounced(bytes: Uint8Array): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      `${api.url}/api/dashboard/operations/rate-decks/CHF/import`,
      { method: 'POST', headers: { ...operator.headers, 'Content-Type': 'text/csv' } },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on('error', reject);
    for (let at = 0; at < bytes.length; at += 65_536) request.write(bytes.subarray(at, at + 65_536));
    request.end();
  });
}
