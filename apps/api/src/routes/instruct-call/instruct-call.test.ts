import { randomUUID } from 'node:crypto';
import {
  auditPageSchema,
  callIdSchema,
  INSTRUCTION_LIMITS,
  instructionEnvelopeSchema,
  type CallId,
  type InstructionOutcome,
} from '@outdial/contracts';
import { createLogger } from '@outdial/kernel';
import { connectForWaiting, subscribeToInstructions } from '@outdial/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDesk } from '../../../test/desk.ts';
import { claimCall, driveCall } from '../../../test/drive.ts';
import { openApi, type TestApi } from '../../../test/open-api.ts';
import type { TestAccount } from '../../../test/seeds.ts';

const TEXT = 'Offer a slot on Friday.';

let api: TestApi;
let account: TestAccount;
let redis: ReturnType<typeof connectForWaiting>;
let answers: ReturnType<typeof connectForWaiting>;
/** What the worker of these calls has taken, and what it answers. */
const taken: { readonly callId: CallId; readonly text: string }[] = [];
const calls = new Map<CallId, InstructionOutcome>();
beforeAll(async () => {
  api = await openApi();
  redis = connectForWaiting(api.stores.redisUrl);
  answers = connectForWaiting(api.stores.redisUrl);
  await subscribeToInstructions({
    redis,
    answers,
    logger: createLogger({ name: 'test', level: 'silent' }),
    onInstruction(callId, text) {
      const outcome = calls.get(callId);
      if (outcome === undefined) return null;
      if (outcome === 'taken') taken.push({ callId, text });
      return Promise.resolve(outcome);
    },
  });
});
beforeEach(async () => {
  account = await newAccount();
  taken.length = 0;
});
afterAll(async () => {
  redis.disconnect();
  answers.disconnect();
  await api.close();
});

const newAccount = () => api.account({ scopes: ['outbound', 'manage'], capacity: 10 });
const newCall = async (of = account) =>
  callIdSchema.parse((await api.request('POST', '/outbound/calls', { key: of.key, json: of.newCall })).call().id);

/** A call that a worker drives, whose agent has a model. */
async function liveCall(outcome: InstructionOutcome | null = 'taken', of = account): Promise<CallId> {
  const callId = await newCall(of);
  await claimCall(api.database, callId);
  await api.database.side.$executeRaw`
    INSERT INTO model_calls (call_id, driver, needs, rates) VALUES (${callId}::uuid, 'realtime', '[]', '[]')`;
  if (outcome !== null) calls.set(callId, outcome);
  return callId;
}

const instruct = (id: string, json: unknown = { text: TEXT }, key = account.key) =>
  api.request('POST', `/outbound/calls/${id}/instructions`, { key, json });
const refused = async (...of: Parameters<typeof instruct>) => {
  const answer = await instruct(...of);
  return [answer.status, answer.error().code];
};

it('200 once the worker of the call has it; the audit names who sent it, and not what it says', async () => {
  const callId = await liveCall();
  const answer = await instruct(callId, { text: `  ${TEXT} ` });
  expect(answer.status).toBe(200);
  expect(instructionEnvelopeSchema.parse(answer.json).instruction).toEqual({ call_id: callId, text: TEXT });
  expect(taken).toEqual([{ callId, text: TEXT }]);
  const owner = await openDesk(api, account.id);
  const { text, json } = await owner.request('GET', 'audit?subject=call');
  expect(auditPageSchema.parse(json).entries).toMatchObject([
    { action: 'call.instruct', subject_id: callId, data: { characters: TEXT.length } },
  ]);
  expect(text).not.toContain('Friday');
});

it('200 for a member of the account, as for one who listens', async () => {
  const callId = await liveCall();
  const member = await openDesk(api, account.id, 'member');
  const answer = await member.request('POST', `outbound/calls/${callId}/instructions`, { json: { text: TEXT } });
  expect([answer.status, taken]).toEqual([200, [{ callId, text: TEXT }]]);
});

describe('409 call_not_live', () => {
  it('before the dial and after the end, without asking any worker', async () => {
    const queued = await newCall();
    const ended = await newCall();
    await driveCall(api.database, ended);
    for (const [callId, status] of [
      [queued, 'queued'],
      [ended, 'ended'],
    ] as const) {
      calls.set(callId, 'taken');
      const answer = await instruct(callId);
      expect([answer.status, answer.error().code, answer.error().details]).toEqual([409, 'call_not_live', { status }]);
    }
    expect(taken).toEqual([]);
  });

  it('when the worker of the call says so, and when no worker answers', async () => {
    for (const outcome of ['not_talking', null] as const) {
      expect(await refused(await liveCall(outcome))).toEqual([409, 'call_not_live']);
    }
  });
});

it('409 instruction_not_possible where a script conducts the call', async () => {
  const callId = await newCall();
  await claimCall(api.database, callId);
  expect(await refused(callId)).toEqual([409, 'instruction_not_possible']);
});

it('404 for an unknown call and another account’s, whose model gets nothing', async () => {
  const stranger = await newAccount();
  const callId = await liveCall();
  for (const answer of [await refused(randomUUID()), await refused(callId, undefined, stranger.key)]) {
    expect(answer).toEqual([404, 'call_not_found']);
  }
  expect(taken).toEqual([]);
});

it('400 for a text that is missing, empty or too long, and 403 for a key without the scope', async () => {
  const callId = await liveCall();
  for (const json of [
    {},
    { text: ' ' },
    { text: 'x'.repeat(INSTRUCTION_LIMITS.textLength + 1) },
    { text: TEXT, a: 1 },
  ]) {
    const answer = await instruct(callId, json);
    expect([answer.status, answer.error().code]).toEqual([400, 'invalid_request']);
  }
  const json = { name: 'Calls', expires_at: null, scopes: ['outbound'] };
  const created = await api.request('POST', '/api-keys', { key: account.key, json });
  expect(await refused(callId, { text: TEXT }, JSON.parse(created.text).value)).toEqual([403, 'scope_missing']);
  expect(taken).toEqual([]);
});

describe('429 rate_limited', () => {
  it('beyond ten a minute to a call, and thirty of an account; its neighbors notice nothing', async () => {
    const { perMinuteOfCall, perMinuteOfAccount } = INSTRUCTION_LIMITS;
    const ofCall = async (callId: CallId) =>
      Promise.all(Array.from({ length: perMinuteOfCall + 1 }, async () => (await instruct(callId)).status));
    const answered: number[] = [];
    for (let nth = 0; nth < perMinuteOfAccount / perMinuteOfCall; nth += 1) {
      const statuses = await ofCall(await liveCall());
      expect(statuses.filter((status) => status === 429)).toHaveLength(1);
      answered.push(...statuses);
    }
    expect(answered.filter((status) => status === 200)).toHaveLength(perMinuteOfAccount);
    const answer = await instruct(await liveCall());
    expect([answer.status, answer.error().details]).toEqual([429, { scope: 'account', thing: 'instructions' }]);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    const neighbor = await newAccount();
    expect((await instruct(await liveCall('taken', neighbor), undefined, neighbor.key)).status).toBe(200);
  });

  it('when the model has as many as it may have', async () => {
    const answer = await instruct(await liveCall('too_many'));
    expect([answer.status, answer.error().details]).toEqual([
      429,
      { scope: 'account', thing: 'instructions_of_call', max: INSTRUCTION_LIMITS.ofCall },
    ]);
  });
});
