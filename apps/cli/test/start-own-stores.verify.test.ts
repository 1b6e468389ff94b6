import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownFolder, statesOf, type OwnFolder } from './own-folder.ts';

/** Enough to start services and complete a call. */
const LIMIT_MS = 600_000;

/** Both sides. On a busy machine a sentence may be cut, or not be recognized. */
const CONVERSATION = [/^ {4}callee +\S/m, /^ {4}agent +Hello, this is Riverside Dental/m];
/** What follows if it was recognized. */
const SPEAKING = /^ {4}callee +Yes, speaking\.$/m;
const SLOTS = /^ {4}tool +find_free_slots \{"day":"tomorrow"\} → HTTP 200 \{.*"free_slots":\["10:00","14:30"\]\}$/m;

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
  'npm start over SIP with --demo starts a telephone network and models, and shows a first call that a model conducts',
  async () => {
    const product = folder.start({ ...given, OUTDIAL_CARRIER: undefined }, '--demo');
    await product.printed('Running.');
    const output = product.output();
    expect(output).toContain('carrier sip');
    expect(output).toContain((await folder.readDemo()).api_key);
    expect(statesOf(output)).toEqual(['queued', 'dialing', 'ringing', 'in_progress', 'ended']);
    const call = await folder.shownCall(output);
    expect(call).toMatchObject({ sip_code: 200, recording_status: 'available' });
    expect(['agent_hangup', 'callee_hangup', 'no_input']).toContain(call.ended_reason);
    expect(call.agent_id).toBe((await folder.readDemo()).model_agent_id);
    for (const line of CONVERSATION) expect(output).toMatch(line);
    if (SPEAKING.test(output)) expect(output).toMatch(SLOTS);
    expect(output).toMatch(/^ {4}cost in USD +talk_time 0\.\d+, realtime \([\w.-]+\) 0\.\d+, stt \([\w.-]+\) 0\.\d+$/m);
    expect(await folder.administer(['trunks', 'list'])).toMatch(/callee +sip:127\.0\.0\.1/);
    product.signal('SIGINT');
    expect(await product.ended).toBe(0);
  },
  LIMIT_MS,
);
