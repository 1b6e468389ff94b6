import { randomBytes } from 'node:crypto';
import { systemClock } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newTrunkName, trunkSettings } from '../../test/trunks.ts';
import { createWorld, type World } from '../../test/world.ts';
import { createAdministration, type Administration } from '../administration/administration.ts';
import { createTrunkDirectory } from './trunk-directory.ts';

let world: World;
let admin: Administration;
beforeAll(async () => {
  world = await createWorld();
  admin = createAdministration(world.database, { actor: 'ops' });
});
afterAll(() => world.close());

const secretKey = randomBytes(32);
const credentials = { username: 'alice', password: 'pässword', secretKey };

function openBook(key = secretKey) {
  let nowMs = 0;
  const errors: string[] = [];
  const book = createTrunkDirectory(world.database, {
    // A manual clock, so that a slow machine makes no read too old.
    clock: { ...systemClock, monotonicMs: () => nowMs },
    secretKey: key,
    onError: (error) => errors.push(error.message),
  });
  return { book, errors, turn: (ms: number) => void (nowMs += ms) };
}

test('every trunk is returned with its settings and password, including disabled ones', async () => {
  const [one, other] = [newTrunkName(), newTrunkName()];
  const settings = trunkSettings({ callerId: { prefixes: ['1202'], asserted: true }, transport: 'tls' });
  await admin.trunks.add({ name: one, ...settings, credentials });
  await admin.trunks.add({ name: other, ...trunkSettings(), credentials: null });
  await admin.trunks.setEnabled(other, false);
  const trunks = await openBook().book.all();
  const { username, password } = credentials;
  expect(trunks).toContainEqual({ name: one, ...settings, credentials: { username, password }, enabled: true });
  expect(trunks).toContainEqual({ name: other, ...trunkSettings(), credentials: null, enabled: false });
});

test('a change is seen within a second', async () => {
  const name = newTrunkName();
  await admin.trunks.add({ name, ...trunkSettings({ channels: 30 }), credentials: null });
  const { book, turn } = openBook();
  const channels = async () => (await book.all()).find((trunk) => trunk.name === name)?.channels;
  expect(await channels()).toBe(30);
  await admin.trunks.update(name, { channels: 5 });
  turn(501);
  expect(await channels()).toBe(5);
});

test('only a trunk whose password does not open is left out, reported once per password', async () => {
  const [sealed, plain] = [newTrunkName(), newTrunkName()];
  await admin.trunks.add({ name: sealed, ...trunkSettings(), credentials });
  await admin.trunks.add({ name: plain, ...trunkSettings(), credentials: null });
  const { book, errors, turn } = openBook(randomBytes(32));
  const names = (await book.all()).map(({ name }) => name);
  expect(names).toContain(plain);
  expect(names).not.toContain(sealed);
  const read = async () => {
    turn(501);
    await book.all();
    return errors.filter((message) => message.includes(sealed)).length;
  };
  expect([await read(), await read()]).toEqual([1, 1]);
  await admin.trunks.update(sealed, { credentials: { ...credentials, password: 'another pässword' } });
  expect([await read(), await read()]).toEqual([2, 2]);
  expect(errors.join()).not.toContain('pässword');
});

test('a password that was copied to another row does not open there', async () => {
  const [from, to] = [newTrunkName(), newTrunkName()];
  for (const name of [from, to]) await admin.trunks.add({ name, ...trunkSettings(), credentials });
  await world.database.side.$executeRaw`
    UPDATE trunks SET sealed_password = (SELECT sealed_password FROM trunks WHERE name = ${from}) WHERE name = ${to}`;
  const names = (await openBook().book.all()).map(({ name }) => name);
  expect(names).toContain(from);
  expect(names).not.toContain(to);
});
