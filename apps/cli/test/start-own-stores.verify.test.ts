import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder, statesOf, type OwnFolder } from './own-folder.ts';

/** Enough to start services and complete a call. */
const LIMIT_MS = 600_000;

let folder: OwnFolder;
let stores: TestStores;
let given: NodeJS.ProcessEnv;
beforeAll(async () => {
  [folder, stores] = await Promise.all([ownFolder(), testStores()]);
  given = { DATABASE_URL: stores.databaseUrl, REDIS_URL: stores.redisUrl };
});
afterAll(async () => {
  await folder.remove();
  await stores.close();
}, LIMIT_MS);

test(
  'npm start over SIP with --demo starts a telephone network and models, and places a call that a model conducts',
  async () => {
    // This callee hangs up after three seconds; the whole conversation takes twenty-four.
    const product = folder.start({ ...given, OUTDIAL_CARRIER: undefined }, '--demo', '--call', '+12025550105');
    await product.printed('Running.');
    const output = product.output();
    expect(output).toContain('carrier sip');
    expect(output).toContain((await folder.readDemo()).api_key);
    expect(statesOf(output)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
    const call = await folder.shownCall(output);
    expect(call).toMatchObject({ ended_reason: 'callee_hangup', sip_code: 200, recording_status: 'available' });
    expect(call.agent_id).toBe((await folder.readDemo()).model_agent_id);
    // What is said in three seconds depends on the machine; `start.verify.test.ts` has a whole conversation.
    expect(output).toMatch(/^ {4}cost in USD +talk_time [\d.]+/m);
    expect(await folder.administer(['trunks', 'list'])).toMatch(/callee +sip:127\.0\.0\.1/);
    product.signal('SIGINT');
    expect(await product.ended).toBe(0);
  },
  LIMIT_MS,
);
