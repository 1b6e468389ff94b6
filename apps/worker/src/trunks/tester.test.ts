import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { trunkOf } from '@outdial/calls/testing';
import { trunkNameSchema } from '@outdial/contracts';
import { createLogger, systemClock } from '@outdial/kernel';
import {
  createAdministration,
  createDatabase,
  createTrunkDirectory,
  createTrunkTests,
  type Administration,
  type Database,
} from '@outdial/persistence';
import { createUserAgent, openSocketTransport, type UserAgent } from '@outdial/sip';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTrunkTester, type TrunkTester } from './tester.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const secretKey = randomBytes(32);
const peer = createSocket('udp4');

let stores: TestStores;
let database: Database;
let admin: Administration;
let userAgent: UserAgent;
let tester: TrunkTester;
beforeAll(async () => {
  stores = await testStores();
  const patience = { queryTimeoutMs: 60_000, connectTimeoutMs: 60_000 };
  database = createDatabase({ url: stores.databaseUrl, poolSize: 1, readPoolSize: 2, ...patience });
  admin = createAdministration(database, { actor: 'test' });
  const transport = await openSocketTransport({ address: '127.0.0.1', port: 0 });
  userAgent = createUserAgent({ transport, clock: systemClock, product: 'test' });
  peer.bind(0, '127.0.0.1');
  await once(peer, 'listening');
  const trunks = createTrunkDirectory(database, { clock: systemClock, secretKey, onError: () => undefined });
  const tests = createTrunkTests(database);
  tester = createTrunkTester({ tests, trunks, userAgent, workerId: 'one', clock: systemClock, logger });
});
afterAll(async () => {
  await userAgent.close();
  peer.close();
  await database.close();
  await stores.close();
});

const resultsOf = async (name: string) =>
  (await admin.trunkTests.list()).find(({ trunk }) => trunk === name)?.results ?? [];

/** Answers the next request as a carrier that does not know the user: any answer is a sign of life. */
function answerOne(): Promise<string> {
  return new Promise((resolve) => {
    peer.once('message', (bytes, { port }) => {
      const text = bytes.toString();
      const kept = text.split('\r\n').filter((line) => /^(?:Via|From|To|Call-ID|CSeq):/i.test(line));
      const answer = ['SIP/2.0 404 Not Found', ...kept, 'Content-Length: 0', '', ''];
      peer.send(answer.join('\r\n'), port, '127.0.0.1', () => resolve(text));
    });
  });
}

test('a test that an operator requests asks the trunk once from here, even a disabled one, and reports the result', async () => {
  const name = trunkNameSchema.parse('main');
  const uri = `sip:127.0.0.1:${peer.address().port}`;
  await admin.trunks.add({ ...trunkOf({ name, uri }), healthCheck: 'none', credentials: null });
  await admin.trunks.setEnabled(name, false);
  await tester.look();
  expect(await resultsOf('main')).toEqual([]);

  await admin.trunkTests.request(name);
  const answered = answerOne();
  await Promise.all([tester.look(), answered]);
  expect(await answered).toMatch(/^OPTIONS sip:127\.0\.0\.1/);
  await expect
    .poll(() => resultsOf('main'))
    .toEqual([{ workerId: 'one', state: 'answered', detail: 'SIP 404', tookMs: expect.any(Number) }]);

  let repeated = 0;
  peer.on('message', () => (repeated += 1));
  await tester.look();
  await tester.look();
  expect(repeated).toBe(0);
});

test('a trunk with an unknown host name, and one with an unreadable password, report the reason', async () => {
  const [lost, sealed] = [trunkNameSchema.parse('lost'), trunkNameSchema.parse('sealed')];
  await admin.trunks.add({ ...trunkOf({ name: lost, uri: 'sip:carrier.invalid' }), credentials: null });
  const credentials = { username: 'alice', password: 'secret', secretKey: randomBytes(32) };
  await admin.trunks.add({ ...trunkOf({ name: sealed }), credentials });
  await Promise.all([admin.trunkTests.request(lost), admin.trunkTests.request(sealed)]);
  // A worker learns of a new trunk within half a second, and only then reports that it cannot use it.
  await expect
    .poll(
      async () => {
        await tester.look();
        return [(await resultsOf('lost'))[0], (await resultsOf('sealed'))[0]];
      },
      { timeout: 20_000 },
    )
    .toMatchObject([
      { state: 'unsent', detail: expect.stringContaining('carrier.invalid') },
      { state: 'unsent', detail: expect.stringContaining('OUTDIAL_SECRET_KEY') },
    ]);
});

test('a test of an unknown trunk is rejected', async () => {
  await expect(admin.trunkTests.request(trunkNameSchema.parse('none'))).rejects.toMatchObject({
    code: 'trunk_not_found',
  });
});
