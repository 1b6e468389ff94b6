import { readFile } from 'node:fs/promises';
import type { ModelRate } from '@outdial/calls';
import { micros } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditOf } from '../../test/audit.ts';
import { beginTogether } from '../../test/begin-together.ts';
import { createWorld, type World } from '../../test/world.ts';
import { cachedDirectory } from '../directory/cached-directory.ts';
import { createDirectory } from '../directory/directory.ts';
import { Prisma } from '../generated/client.ts';
import { formatModelRatesCsv } from '../model-rates-csv/format-model-rates-csv.ts';
import { parseModelRatesCsv } from '../model-rates-csv/parse-model-rates-csv.ts';
import { createAdministration, type Administration } from './administration.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const rate = (model: string, price: number): ModelRate => ({
  component: 'llm',
  provider: 'openai',
  model,
  unit: 'output_text_token',
  priceMicrosPerMillion: micros(price),
  estimateMicrosPerMinute: micros(price / 10),
});

test('an import replaces the whole deck, and is audited', async () => {
  expect(await admin.modelRates.import({ currency: 'CHF', rates: [rate('a', 10), rate('b', 20)] })).toEqual({
    version: 1,
  });
  const second = [rate('a', 30), rate('c*', 40)];
  expect(await admin.modelRates.import({ currency: 'CHF', rates: second })).toEqual({ version: 2 });
  expect(await admin.modelRates.show('CHF')).toMatchObject({ currency: 'CHF', version: 2, rates: second });
  expect(await auditOf(world.database, 'CHF')).toMatchObject([
    { action: 'model_rates.import', data: { rates: 2 } },
    { action: 'model_rates.import', data: { rates: 2 } },
  ]);
});

test('of concurrent imports exactly one deck remains, without rates of the others', async () => {
  await admin.modelRates.import({ currency: 'PLN', rates: [rate('first', 10)] });
  const decks = [[rate('a', 10)], [rate('b', 20)], [rate('c', 30)]];
  const imports = await beginTogether(
    world.database,
    Prisma.sql`SELECT FROM model_rate_decks WHERE currency = 'PLN' FOR UPDATE`,
    decks.map((rates) => () => admin.modelRates.import({ currency: 'PLN', rates })),
  );
  const versions = imports.map(({ version }) => version);
  expect(new Set(versions)).toEqual(new Set([2, 3, 4]));
  expect(await admin.modelRates.show('PLN')).toMatchObject({ version: 4, rates: decks[versions.indexOf(4)] });
});

test('a process uses a new deck within a second, and a currency without a deck prices nothing', async () => {
  const clock = fakeClock();
  const directory = cachedDirectory(createDirectory(world.database), clock);
  const model = { component: 'llm', provider: 'openai', model: 'fast' } as const;
  await admin.modelRates.import({ currency: 'EUR', rates: [rate('fast', 10)] });
  expect((await directory.modelRateDeck('EUR')).find(model)).toEqual([rate('fast', 10)]);
  await admin.modelRates.import({ currency: 'EUR', rates: [rate('fa*', 20)] });
  await clock.advance(1_000);
  expect((await directory.modelRateDeck('EUR')).find(model)).toEqual([rate('fa*', 20)]);
  expect((await directory.modelRateDeck('JPY')).find(model)).toEqual([]);
  await expect(admin.modelRates.show('JPY')).rejects.toMatchObject({ code: 'deck_not_found' });
});

test('the demo deck can be imported and is exported as it was written', async () => {
  const text = await readFile(new URL('../../../../apps/cli/demo/model-rates.csv', import.meta.url), 'utf8');
  const parsed = parseModelRatesCsv(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  await admin.modelRates.import({ currency: 'USD', rates: parsed.rates });
  const { rates } = await admin.modelRates.show('USD');
  expect(formatModelRatesCsv(rates).trimEnd().split('\n').toSorted()).toEqual(text.trimEnd().split('\n').toSorted());
  const [deck] = (await admin.modelRates.decks()).filter(({ currency }) => currency === 'USD');
  expect(deck).toMatchObject({ version: 1, rateCount: parsed.rates.length });
});
