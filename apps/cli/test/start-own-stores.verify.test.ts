import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testStores, type TestStores } from '@outdial/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLocalAiGuide } from './local-ai-guide.ts';
import { ownFolder, statesOf, type OwnFolder } from './own-folder.ts';
import type { StartedProduct } from './started-product.ts';

/** Enough to start services and complete a call. */
const LIMIT_MS = 600_000;

/** Both sides. On a busy machine a sentence may be cut, or not be recognized. */
const CONVERSATION = [/^ {4}callee +\S/m, /^ {4}agent +Hello, this is Riverside Dental/m];
/** What follows if it was recognized, and answers the question: on a busy machine the agent may ask too late. */
const SPEAKING = /^ {4}agent +Hello, this is Riverside Dental.*\n {4}callee +Yes, speaking\.$/m;
const SLOTS = /^ {4}tool +find_free_slots \{"day":"tomorrow"\} → HTTP 200 \{.*"free_slots":\["10:00","14:30"\]\}$/m;

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

let folder: OwnFolder;
let stores: TestStores;
let given: NodeJS.ProcessEnv;
let product: StartedProduct;
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
    product = folder.start({ ...given, OUTDIAL_CARRIER: undefined }, '--demo');
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
  },
  LIMIT_MS,
);

// Of the servers that the guide names only the protocol is here: simulated ones speak it.
test(
  'the guide to models on own machines, followed line by line, leads to a call that such models conduct',
  async () => {
    const { account_id: accountId, from_number } = await folder.readDemo();
    const guide = await readLocalAiGuide(`http://127.0.0.1:${folder.env['OUTDIAL_MODELS_PORT']}/local`);
    const secrets = Object.fromEntries(guide.secretVariables.map((name) => [name, 'sk-of-the-proxy']));
    const env = { OUTDIAL_EGRESS_ALLOW: '127.0.0.1', ...secrets };
    let credentialId = '';
    for (const command of guide.credentialCommands) {
      const output = await folder.administer(
        command.map((word) => (word === '<credential-id>' ? credentialId : word)),
        env,
      );
      credentialId = UUID.exec(output)?.[0] ?? credentialId;
    }
    const settings = join(folder.dataDir, 'local-agent.json');
    await writeFile(settings, guide.settings);
    const created = await folder.administer(['agents', 'create', '--account', accountId, '--settings', settings]);
    const agent_id = UUID.exec(created)?.[0] ?? '';
    const variables = { name: 'Ada', day: 'Monday' };
    const call = await folder.placeCall({ to_number: '+12025550100', agent_id, from_number, variables });
    expect(['agent_hangup', 'callee_hangup', 'no_input']).toContain(call.ended_reason);
    expect(call.answered_by).toBe('human');
    expect(call.transcript?.find(({ role }) => role === 'agent')?.text).toBe('Hello Ada, this is Riverside Dental.');
    expect(call.transcript?.some(({ role, text }) => role === 'callee' && text !== null)).toBe(true);
    const products = new Set(call.usage.map(({ component, provider }) => `${component} of ${provider}`));
    expect(products).toEqual(new Set(['stt of local', 'llm of local', 'tts of local']));
    product.signal('SIGINT');
    expect(await product.ended).toBe(0);
  },
  LIMIT_MS,
);
