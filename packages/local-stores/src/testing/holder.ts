/** A process that opens stores. Run by the tests: `holder.ts <dataDir> hold|exit|answer-interrupt`. */
import { Redis } from 'ioredis';
import { Client } from 'pg';

import { openStores } from '../open-stores.ts';

const [dataDir = '', mode = 'hold'] = process.argv.slice(2);
// The holder of the stores decides what Ctrl-C means; here it ignores it.
if (mode !== 'exit') process.on('SIGINT', () => {});
const stores = await openStores({ dataDir, profile: 'durable', announce: () => {} });
const redis = new Redis(stores.redisUrl);
const client = new Client({ connectionString: stores.databaseUrl });
await client.connect();
await redis.ping();

if (mode === 'exit') process.on('exit', () => say('exits'));
if (mode === 'answer-interrupt') process.on('SIGINT', () => void answerAndClose());
say(`${stores.redisUrl} ${stores.databaseUrl}`);
if (mode === 'exit') process.exit(0);
process.stdin.resume();

async function answerAndClose(): Promise<void> {
  const { rows } = await client.query<{ word: string }>(`SELECT 'Postgres' AS word`);
  say(`${await redis.echo('Redis')} and ${rows[0]?.word} answer`);
  redis.disconnect();
  await client.end();
  await stores.close();
  process.stdin.pause();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
