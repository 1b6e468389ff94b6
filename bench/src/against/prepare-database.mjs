/**
 * Evaluated within a tree, whose packages it uses: migrates the database as that tree wants it, and creates an account
 * without effective limits. Prints `{apiKey, agentId}`.
 */
import { applyMigrations } from '@outdial/migrations';
import { accountSeed } from '@outdial/persistence/seeding';
import { Client } from 'pg';

const { DATABASE_URL: databaseUrl, BENCH_SEED: seedText } = process.env;
const { balanceMicros, capacity, number, pepperHex, requestsPerSecond } = JSON.parse(seedText);
await applyMigrations({ databaseUrl });
const seed = accountSeed({
  name: 'Bench',
  balanceMicros: BigInt(balanceMicros),
  capacity,
  number,
  key: { pepper: Buffer.from(pepperHex, 'hex'), requestsPerSecond },
});
const client = new Client({ connectionString: databaseUrl });
await client.connect();
await seed.plantIn((text, values) => client.query(text, [...values]));
await client.query('UPDATE system_settings SET capacity = $1, capacity_version = capacity_version + 1', [capacity]);
await client.end();
process.stdout.write(JSON.stringify({ apiKey: seed.key, agentId: seed.account.agentId }));
