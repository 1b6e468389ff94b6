import { e164Schema, MAX_MICROS, micros, type AccountId } from '@outdial/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf as readAudit } from '../../test/audit.ts';
import { beginTogether } from '../../test/begin-together.ts';
import { createWorld, settlementOf, type World } from '../../test/world.ts';
import { Prisma } from '../generated/client.ts';
import { createDirectory } from '../directory/directory.ts';
import { createAdministration, type Administration } from './administration.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const newAccount = () => admin.accounts.create({ name: 'Acme', currency: 'USD' });
const phone = (text: string) => e164Schema.parse(text);

const auditOf = (subjectId: string) => readAudit(world.database, subjectId);
const actionsOf = async (subjectId: string) => (await auditOf(subjectId)).map(({ action }) => action);

const rate = (prefix: string, pricePerMinuteMicros: number) => ({
  prefix,
  description: `Zone ${prefix}`,
  connectionFeeMicros: micros(100),
  pricePerMinuteMicros: micros(pricePerMinuteMicros),
  initialIncrementSeconds: 30,
  incrementSeconds: 6,
});

describe('rates', () => {
  test('an import replaces the whole deck', async () => {
    expect(await admin.rates.import({ currency: 'CHF', rates: [rate('1', 10), rate('44', 20)] })).toEqual({
      version: 1,
    });
    const second = [rate('1', 11), rate('49', 30)];
    expect(await admin.rates.import({ currency: 'CHF', rates: second })).toEqual({ version: 2 });
    expect(await admin.rates.show('CHF')).toMatchObject({ currency: 'CHF', version: 2, rates: second });
    expect(await auditOf('CHF')).toMatchObject([{ data: { rates: 2 } }, { data: { rates: 2 } }]);
  });

  test('of concurrent deck imports exactly one remains, without rates of the others', async () => {
    await admin.rates.import({ currency: 'PLN', rates: [rate('48', 10)] });
    const decks = [[rate('1', 10)], [rate('44', 20)], [rate('49', 30)]];
    const imports = await beginTogether(
      world.database,
      Prisma.sql`SELECT FROM rate_decks WHERE currency = 'PLN' FOR UPDATE`,
      decks.map((rates) => () => admin.rates.import({ currency: 'PLN', rates })),
    );
    const versions = imports.map(({ version }) => version);
    expect(new Set(versions)).toEqual(new Set([2, 3, 4]));
    const last = decks[versions.indexOf(4)];
    expect(await admin.rates.show('PLN')).toMatchObject({ version: 4, rates: last });
    expect(await auditOf('PLN')).toHaveLength(4);
  });

  test('a deck may be large', async () => {
    const rates = Array.from({ length: 30_000 }, (_, index) => rate(String(100_000 + index), index));
    await admin.rates.import({ currency: 'SEK', rates });
    const deck = await createDirectory(world.database).rateDeck('SEK');
    expect(deck.find(phone('+1299990000000'))).toMatchObject({ prefix: '129999', pricePerMinuteMicros: 29_999n });
  });

  test('a rejected deck leaves the previous one unchanged', async () => {
    await admin.rates.import({ currency: 'NOK', rates: [rate('47', 10)] });
    const broken = { ...rate('46', 10), incrementSeconds: 0 };
    await expect(admin.rates.import({ currency: 'NOK', rates: [rate('45', 1), broken] })).rejects.toThrow(
      /rates_increment_check/,
    );
    expect(await admin.rates.show('NOK')).toMatchObject({ version: 1, rates: [{ prefix: '47' }] });
    await expect(admin.rates.show('XXX')).rejects.toMatchObject({ code: 'deck_not_found' });
  });
});

const topUp = (accountId: AccountId, amount: number | bigint, idempotencyKey: string) =>
  admin.wallets.topUp({ accountId, amountMicros: micros(amount), idempotencyKey });

describe('wallets', () => {
  test('a top-up that is sent many times concurrently is credited once', async () => {
    const { id: accountId } = await newAccount();
    const results = await Promise.all(Array.from({ length: 20 }, () => topUp(accountId, 25_000_000, 'invoice-1')));
    expect(results.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(new Set(results.map(({ entry }) => entry.id)).size).toBe(1);
    for (const { limits } of results) {
      expect(limits).toMatchObject({ accountId, balanceMicros: 25_000_000n, balanceVersion: 2 });
    }
    expect(await actionsOf(accountId)).toEqual(['account.create', 'wallet.top_up']);
  });

  test('another amount with the same key is rejected, for this account alone', async () => {
    const [first, second] = [await newAccount(), await newAccount()];
    await topUp(first.id, 5, 'invoice-1');
    await expect(topUp(first.id, 6, 'invoice-1')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await topUp(second.id, 6, 'invoice-1')).toMatchObject({ repeated: false });
    expect(await admin.wallets.show(first.id)).toHaveProperty('balanceMicros', 5n);
  });

  test('a wallet never exceeds what the gate can count', async () => {
    const { id } = await newAccount();
    await topUp(id, MAX_MICROS, 'all');
    await expect(topUp(id, 1, 'more')).rejects.toMatchObject({
      code: 'balance_out_of_bounds',
      param: 'amount',
      publicMessage: 'The balance would exceed the maximum of 9007199254.740991: top up by less.',
    });
    await expect(topUp(id, 0, 'none')).rejects.toMatchObject({
      code: 'balance_out_of_bounds',
      publicMessage: 'The amount must be greater than 0.',
    });
    expect(await admin.wallets.show(id)).toHaveProperty('balanceMicros', MAX_MICROS);
    expect(await admin.wallets.ledger({ accountId: id, limit: 10 })).toHaveLength(1);
  });

  test('the ledger is read in pages, newest first', async () => {
    const party = await world.party(0);
    const { accountId } = party;
    for (const [index, amount] of [10_000, 20_000, 30_000].entries()) await topUp(accountId, amount, `top-up-${index}`);
    const call = await world.claimed(party);
    await world.drives.settle(settlementOf(call));
    const first = await admin.wallets.ledger({ accountId, limit: 3 });
    expect(first).toMatchObject([
      { kind: 'call_charge', amountMicros: -17_000n, callId: call.id, idempotencyKey: null },
      { kind: 'top_up', amountMicros: 30_000n, callId: null, idempotencyKey: 'top-up-2' },
      { kind: 'top_up', amountMicros: 20_000n },
    ]);
    const before = first.at(-1)?.id ?? '';
    expect(await admin.wallets.ledger({ accountId, before, limit: 3 })).toMatchObject([{ amountMicros: 10_000n }]);
    expect(await admin.wallets.show(accountId)).toEqual({
      accountId,
      currency: 'USD',
      balanceMicros: 43_000n,
      heldMicros: 0n,
      availableMicros: 43_000n,
    });
  });
});

test('every capacity change raises the version, so that the gate never applies an older one', async () => {
  const { id: accountId } = await newAccount();
  expect(await admin.capacity.setAccount({ accountId, capacity: 25 })).toMatchObject({
    capacity: 25,
    capacityVersion: 2,
  });
  expect(await admin.capacity.setAccount({ accountId, capacity: 0 })).toMatchObject({
    capacity: 0,
    capacityVersion: 3,
  });
  const before = await world.reconciles.systemLimits();
  const after = { capacity: 70, capacityVersion: before.capacityVersion + 1 };
  expect(await admin.capacity.setSystem(70)).toEqual(after);
  expect(await world.reconciles.systemLimits()).toEqual(after);
  expect(await auditOf('system')).toEqual([{ actor: 'ops', action: 'system.set_capacity', data: { capacity: 70 } }]);
});
