import { once } from 'node:events';
import { accountIdSchema } from '@outdial/contracts';
import { createReconcileStore } from '@outdial/persistence';
import { connectForWaiting } from '@outdial/queue';
import { createGate } from '@outdial/reservations';
import { privateRedis } from '@outdial/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openAdminDriver, UNKNOWN_ID, type AdminDriver } from '../testing/admin-driver.ts';

let driver: AdminDriver;
beforeAll(async () => {
  driver = await openAdminDriver();
});
afterAll(() => driver.close());

describe('rates', () => {
  const CSV =
    'prefix,description,connection_fee,price_per_minute,increments\n1,"USA, Canada",0.00,0.014,60/60\n44,UK,0.005,0.011,1/1\n';

  test('are replaced as a whole and exported as the imported file', async () => {
    await driver.json(['rates', 'import', '-', '--currency', 'CHF'], `${CSV}49,Germany,0.00,0.01,1/1\n`);
    expect(await driver.json(['rates', 'import', '-', '--currency', 'CHF'], CSV)).toEqual({
      deck: { currency: 'CHF', version: 2, rates: 2 },
    });
    expect((await driver.run(['rates', 'show', '--currency', 'CHF', '--csv'])).stdout).toBe(CSV);
  });

  test('of a file with an invalid line are all rejected, with the line', async () => {
    await driver.json(['rates', 'import', '-', '--currency', 'SEK'], CSV);
    const refused = await driver.run(['rates', 'import', '-', '--currency', 'SEK'], {
      stdin: `${CSV}1,Again,0,0.01,6/6\n49,x`,
    });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: [
        'Nothing was imported. Correct standard input:',
        '  line 4: prefix 1 is already in line 2; keep one of the two',
        '  line 5: has 2 columns instead of 5',
        '',
      ].join('\n'),
    });
    expect((await driver.run(['rates', 'show', '--currency', 'SEK', '--csv'])).stdout).toBe(CSV);
  });
});

describe('model rates', () => {
  const CSV =
    'component,provider,model,unit,price_per_million,estimate_per_minute\nllm,openai,gpt-5-mini*,output_text_token,2.00,0.001\n';

  test('are replaced as a whole, listed, and exported as the imported file', async () => {
    const more = `${CSV}stt,deepgram,flux*,second,128.333334,0.0077\n`;
    await driver.json(['model-rates', 'import', '-', '--currency', 'CHF'], more);
    expect(await driver.json(['model-rates', 'import', '-', '--currency', 'CHF'], CSV)).toEqual({
      deck: { currency: 'CHF', version: 2, rates: 1 },
    });
    expect((await driver.run(['model-rates', 'export', '--currency', 'CHF'])).stdout).toBe(CSV);
    expect(await driver.json(['model-rates', 'list'])).toMatchObject({
      decks: [{ currency: 'CHF', version: 2, rates: 1 }],
    });
    expect(await driver.json(['model-rates', 'list', '--currency', 'CHF'])).toMatchObject({
      deck: { rates: [{ component: 'llm', model: 'gpt-5-mini*', price_per_million: 2, estimate_per_minute: 0.001 }] },
    });
  });

  test('of a file with an invalid line are all rejected, with the line', async () => {
    const refused = await driver.run(['model-rates', 'import', '-', '--currency', 'SEK'], { stdin: `${CSV}llm,x` });
    expect(refused).toMatchObject({
      exitCode: 1,
      stderr: 'Nothing was imported. Correct standard input:\n  line 3: has 2 columns instead of 6\n',
    });
    expect((await driver.run(['model-rates', 'export', '--currency', 'SEK'])).exitCode).toBe(1);
  });
});

describe('the wallet', () => {
  test('is topped up once per idempotency key, as the ledger shows', async () => {
    const account = await driver.createAccount();
    const topUp = ['wallet', 'top-up', '--account', account, '--amount', '25.50', '--idempotency-key', 'invoice-1'];
    expect(await driver.json(topUp)).toMatchObject({
      repeated: false,
      wallet: { balance: 25.5, held: 0, available: 25.5 },
    });
    expect(await driver.json(topUp)).toMatchObject({ repeated: true, wallet: { balance: 25.5 } });
    expect(await driver.json(['wallet', 'ledger', '--account', account])).toMatchObject({
      entries: [{ kind: 'top_up', amount: 25.5, idempotency_key: 'invoice-1' }],
    });
    const tooMuch = ['wallet', 'top-up', '--account', account, '--amount', '999999999.999999'];
    for (let times = 0; times < 9; times += 1) await driver.json(tooMuch);
    expect(await driver.run(tooMuch)).toMatchObject({
      exitCode: 1,
      stderr: 'The balance would exceed the maximum of 9007199254.740991: top up by less.\n',
    });
    const other = await driver.run(topUp.map((argument) => (argument === '25.50' ? '26' : argument)));
    expect(other).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('another amount') });
  });

  test('shows the generated key of a top-up without one', async () => {
    const account = await driver.createAccount();
    const { stdout } = await driver.run(['wallet', 'top-up', '--account', account, '--amount', '5']);
    expect(stdout).toMatch(/^Added 5\.00 USD \(idempotency key [0-9a-f-]{36}\)\.\n/);
  });

  test.each(['0', '-5', '1e3', '1e99', '1000000000', 'five', '0.0000001', ''])(
    'rejects the amount %j',
    async (amount) => {
      const wrong = await driver.run(['wallet', 'top-up', '--account', UNKNOWN_ID, `--amount=${amount}`]);
      expect(wrong).toMatchObject({
        exitCode: 2,
        stderr: expect.stringMatching(/^--amount: must be an amount above 0 and below 1000000000, .*\n$/),
      });
    },
  );
});

describe('capacity', () => {
  test('is set for an account and for the system', async () => {
    const account = await driver.createAccount();
    await driver.json(['capacity', 'set', '7', '--account', account]);
    expect(await driver.json(['accounts', 'show', account])).toMatchObject({ account: { capacity: 7 } });
    expect(await driver.json(['capacity', 'set', '2000', '--system'])).toEqual({
      capacity: { account_id: null, limit: 2_000 },
    });
  });

  test.each([
    ['0', 'accepts no new calls; open calls continue.'],
    ['1', 'may have 1 call open at a time.'],
    ['50', 'may have 50 calls open at once.'],
  ])('of %s is explained', async (calls, meaning) => {
    const account = await driver.createAccount();
    const { stdout } = await driver.run(['capacity', 'set', calls, '--account', account]);
    expect(stdout).toBe(`Account ${account} ${meaning}\n`);
  });

  test('is saved while Redis is away, with a note', async () => {
    const account = await driver.createAccount();
    const redis = await privateRedis();
    await redis.stop();
    const done = await driver.run(['capacity', 'set', '8', '--account', account], { env: { REDIS_URL: redis.url } });
    await redis.close();
    expect(done).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Redis does not answer') });
    expect(await driver.json(['accounts', 'show', account])).toMatchObject({ account: { capacity: 8 } });
  });
});

test('a top-up and a new capacity reach the gate at once', async () => {
  const account = accountIdSchema.parse(await driver.createAccount());
  const redis = connectForWaiting(driver.redisUrl);
  await once(redis, 'ready');
  const gate = createGate({ redis });
  const store = createReconcileStore(driver.database);
  const begun = await gate.beginRebuild();
  if (begun.kind !== 'begun') throw new Error('an empty gate can be rebuilt');
  const token = await store.nextGeneration();
  await gate.publish(begun.ticket, await store.snapshot(token));
  for (const limits of await store.limitsOf([account])) await gate.loadAccount(token, limits);

  await driver.json(['wallet', 'top-up', '--account', account, '--amount', '12.5']);
  await driver.json(['capacity', 'set', '33', '--account', account]);
  const known = [];
  for await (const accounts of gate.accounts()) known.push(...accounts);
  await redis.quit();
  expect(known).toMatchObject([{ accountId: account, balanceMicros: 12_500_000n, capacity: 33 }]);
});
