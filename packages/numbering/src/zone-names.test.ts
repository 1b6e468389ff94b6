import { testStores } from '@outdial/testkit';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { PLACES } from './generated/places.ts';

const ZONES = [
  ...new Set([...Object.values(PLACES.countries).flat(), ...PLACES.areas.flatMap(([, , zones]) => zones)]),
].toSorted();

test('Node knows every zone of the table', () => {
  // The constructor throws for an unknown zone.
  const known = ZONES.filter((zone) => new Intl.DateTimeFormat('en', { timeZone: zone }));
  expect(known).toEqual(ZONES);
});

test('Postgres knows every zone of the table', async () => {
  const stores = await testStores();
  const client = new Client({ connectionString: stores.databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query<{ zone: string }>(
      'SELECT zone FROM unnest($1::text[]) AS zone WHERE zone NOT IN (SELECT name FROM pg_timezone_names)',
      [ZONES],
    );
    expect(rows).toEqual([]);
  } finally {
    await client.end();
    await stores.close();
  }
});
