import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { agentEnvelopeSchema, micros, tryEnvelopeSchema, type TryEndReason, type TryId } from '@outdial/contracts';
import { connectForCommands, connectForWaiting, createAgentEnd, type AgentEnd, type FromPerson } from '@outdial/queue';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDesk, type Desk } from '../../test/desk.ts';
import { openApi, type TestApi } from '../../test/open-api.ts';
import { refusedUpgrade } from '../../test/refused-upgrade.ts';
import type { TestAccount } from '../../test/seeds.ts';
import { openTrySound, trySoundAddress, type TrySoundPath } from '../../test/try-sound-client.ts';

const FRAME = 160;
let api: TestApi;
let redis: readonly ReturnType<typeof connectForCommands>[];
let worker: AgentEnd;
let account: TestAccount;
let member: Desk;
let agentId: string;

beforeAll(async () => {
  api = await openApi();
  const [sender, receiver] = [connectForCommands(api.stores.redisUrl), connectForWaiting(api.stores.redisUrl)];
  redis = [sender, receiver];
  worker = createAgentEnd({ sender, receiver });
  await Promise.all([once(sender, 'ready'), once(receiver, 'ready')]);
  for (const provider of ['openai', 'deepgram', 'elevenlabs']) {
    await api.database.side.$executeRaw`
      INSERT INTO provider_credentials (id, account_id, provider, name, sealed, shown_suffix)
      VALUES (${randomUUID()}::uuid, NULL, ${provider}, ${provider}, '\\x00'::bytea, '')`;
  }
  const prices = [
    ['realtime', 'openai', 'gpt-realtime', 'input_text_token', 100_000],
    ['realtime', 'openai', 'gpt-realtime', 'output_text_token', 100_000],
    ['stt', 'deepgram', 'flux-general-en', 'second', 10_000],
    ['llm', 'openai', 'gpt-5-mini', 'input_text_token', 20_000],
    ['llm', 'openai', 'gpt-5-mini', 'output_text_token', 20_000],
    ['tts', 'elevenlabs', 'eleven_flash_v2_5', 'character', 40_000],
  ] as const;
  await api.admin.modelRates.import({
    currency: 'USD',
    rates: prices.map(([component, provider, model, unit, estimate]) => ({
      component,
      provider,
      model,
      unit,
      priceMicrosPerMillion: micros(10_000),
      estimateMicrosPerMinute: micros(estimate),
    })),
  });
});
beforeEach(async () => {
  account = await newAccount();
  member = await openDesk(api, account.id, 'member');
  agentId = await newAgent(account);
});
afterAll(async () => {
  for (const connection of redis) connection.disconnect();
  await api.close();
});

const REALTIME = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime', transcription: null },
};
const CASCADE = {
  driver: 'cascade',
  name: 'Chain',
  instructions: 'You remind people of a visit.',
  stt: { provider: 'deepgram' },
  llm: { provider: 'openai', model: 'gpt-5-mini' },
  tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
};

const newAccount = () => api.account({ scopes: ['outbound', 'manage'], balance: '10.00' });

async function newAgent(of: TestAccount, settings: object = REALTIME): Promise<string> {
  const answer = await api.request('POST', '/agents', { key: of.key, json: { settings } });
  return agentEnvelopeSchema.parse(answer.json).agent.id;
}

async function begun(medium: 'text' | 'microphone' = 'microphone', desk = member, agent = agentId) {
  const answer = await desk.request('POST', `agents/${agent}/try`, { json: { medium } });
  expect(answer.status).toBe(201);
  const made = tryEnvelopeSchema.parse(answer.json).try;
  expect(made.medium).toBe(medium);
  return made.id;
}

const path = (tryId: string, of = account, agent = agentId): TrySoundPath => ({
  url: api.url,
  accountId: of.id,
  agentId: agent,
  tryId,
});

async function connect(tryId: string, desk = member, of = path(tryId)) {
  const client = await openTrySound(of, desk.headers);
  onTestFinished(() => client.socket.terminate());
  return client;
}

/** A worker whose agent hears as soon as its person is there. */
function agentOf(tryId: TryId) {
  const heard: FromPerson[] = [];
  const unfollow = worker.follow(tryId, (message) => {
    heard.push(message);
    if (message.kind === 'present') worker.send(tryId, { kind: 'hears' });
  });
  onTestFinished(unfollow);
  return { sound: () => heard.flatMap((message) => (message.kind === 'sound' ? [message.ulaw] : [])) };
}

async function talking(desk = member, of = account, agent = agentId) {
  const tryId = await begun('microphone', desk, agent);
  const hears = agentOf(tryId);
  const client = await connect(tryId, desk, path(tryId, of, agent));
  await expect.poll(() => client.said).toEqual([{ kind: 'started' }]);
  return { tryId, client, ...hears };
}

const end = (tryId: string, reason: TryEndReason) => api.database.side.$executeRaw`
  UPDATE agent_tries SET ended_at = clock_timestamp(), ended_reason = ${reason} WHERE id = ${tryId}::uuid`;
const frames = (count: number, code = 0x80) => Buffer.alloc(count * FRAME, code);

describe('a member who talks by microphone', () => {
  it('is heard and hears the agent, learns that it was interrupted, and why the try ended', async () => {
    const { tryId, client, sound } = await talking();
    client.socket.send(frames(1, 0x11));
    client.socket.send(frames(10, 0x22));
    await expect
      .poll(() => sound().map((ulaw) => [ulaw.length / FRAME, ulaw[0]]))
      .toEqual([
        [1, 0x11],
        [10, 0x22],
      ]);
    worker.send(tryId, { kind: 'sound', ulaw: frames(5, 0x33) });
    worker.send(tryId, { kind: 'clear' });
    worker.send(tryId, { kind: 'ended', reason: 'agent_hangup' });
    expect(await client.closed).toBe(1_000);
    expect(client.sound).toEqual([frames(5, 0x33)]);
    expect(client.said).toEqual([{ kind: 'started' }, { kind: 'clear' }, { kind: 'ended', reason: 'agent_hangup' }]);
  });

  it('learns that the try has ended even if its worker was lost', async () => {
    const { tryId, client } = await talking();
    await end(tryId, 'worker_lost');
    expect(await client.closed).toBe(1_000);
    expect(client.said.at(-1)).toEqual({ kind: 'ended', reason: 'worker_lost' });
  });

  it('has one connection: a second is refused until the first has left', async () => {
    const { tryId, client } = await talking();
    const second = await connect(tryId);
    expect(await second.closed).toBe(4_409);
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    client.socket.close();
    await client.closed;
    await expect
      .poll(async () => {
        const again = await connect(tryId);
        return Promise.race([again.closed, once(again.socket, 'message').then(() => 'hears')]);
      })
      .toBe('hears');
  });

  it('is cut off when the session ends, and asked to connect again when the process stops', async () => {
    const { tryId, client } = await talking();
    await member.end();
    expect(await client.closed).toBe(4_001);
    const other = await openDesk(api, account.id, 'member');
    const otherTry = await begun('microphone', other);
    const another = await api.startAnother();
    const there = await openTrySound({ ...path(otherTry), url: another.url }, other.headers);
    await another.stop();
    expect(await there.closed).toBe(4_004);
    expect(await redis[0]?.exists(`{outdial-queue}:try-sound:${tryId}:place`)).toBe(0);
  });

  it('pays for ears and voice too: each model of a cascade is held for, at its first choice', async () => {
    const agent = await newAgent(account, CASCADE);
    await begun('text', member, agent);
    const text = (await api.admin.wallets.show(account.id)).heldMicros;
    await begun('microphone', member, agent);
    const both = (await api.admin.wallets.show(account.id)).heldMicros;
    expect(both - text).toBe(450_000n);
    expect(text).toBeLessThan(both - text);
  });
});

describe('what a microphone sends', () => {
  it('is whole frames of sound: anything else ends the connection', async () => {
    for (const message of ['hello', Buffer.alloc(0), Buffer.alloc(FRAME - 1), frames(11)]) {
      const { tryId, client, sound } = await talking();
      client.socket.send(message);
      expect(await client.closed).toBe(1_003);
      expect(sound()).toEqual([]);
      await end(tryId, 'ended_by_user');
      await api.database.side.$executeRaw`
        UPDATE agent_tries SET created_at = created_at - interval '2 hours' WHERE id = ${tryId}::uuid`;
    }
  });

  it('passes in real time: a flood is dropped beyond a second, and delays no neighbor', async () => {
    const neighbor = await newAccount();
    const desk = await openDesk(api, neighbor.id, 'member');
    const greedy = await talking();
    const calm = await talking(desk, neighbor, await newAgent(neighbor));
    const startMs = performance.now();
    for (let nth = 0; nth < 5_000; nth += 1) greedy.client.socket.send(frames(10));
    const lateMs: number[] = [];
    for (let nth = 0; nth < 20; nth += 1) {
      const sentMs = performance.now();
      calm.client.socket.send(frames(1));
      await expect.poll(() => calm.sound().length, { interval: 1 }).toBe(nth + 1);
      lateMs.push(performance.now() - sentMs);
    }
    // The median: a busy machine is slow for everybody at times.
    expect(lateMs.toSorted((one, other) => one - other)[10]).toBeLessThan(50);
    const passed = greedy.sound().reduce((sum, ulaw) => sum + ulaw.length / FRAME, 0);
    expect(passed).toBeLessThanOrEqual(50 + ((performance.now() - startMs) * 50) / 1_000 + 10);
    expect(greedy.client.socket.readyState).toBe(greedy.client.socket.OPEN);
  });

  it('goes on for a browser that reads nothing, until it is taken for gone and its place is free', async () => {
    const { tryId, client, sound } = await talking();
    client.socket.pause();
    for (let nth = 0; nth < 2_000; nth += 1) {
      worker.send(tryId, { kind: 'sound', ulaw: frames(10) });
      if (nth % 20 === 0) await redis[0]?.ping();
    }
    client.socket.send(frames(1, 0x44));
    await expect.poll(() => sound().map(([first]) => first)).toEqual([0x44]);
    const place = `{outdial-queue}:try-sound:${tryId}:place`;
    await expect.poll(() => redis[0]?.exists(place), { timeout: 15_000 }).toBe(0);
  });
});

const refused = (of: TrySoundPath, headers = member.headers) => refusedUpgrade(trySoundAddress(of), headers);

describe('who may not talk', () => {
  it('401 without a session, 403 for a page of another origin', async () => {
    const tryId = await begun();
    const { Cookie = '', 'Sec-Fetch-Site': site = '' } = member.headers;
    expect(await refused(path(tryId), { 'Sec-Fetch-Site': site })).toEqual([401, 'not_signed_in']);
    const foreign = await refused(path(tryId), { Cookie, Origin: 'https://evil.example' });
    expect(foreign).toEqual([403, 'origin_not_allowed']);
  });

  it('404 for a try of another member or account, and an unknown one', async () => {
    const tryId = await begun();
    const owner = await openDesk(api, account.id);
    const stranger = await newAccount();
    expect(await refused(path(tryId), owner.headers)).toEqual([404, 'try_not_found']);
    for (const id of [randomUUID(), 'x']) expect(await refused(path(id))).toEqual([404, 'try_not_found']);
    expect(await refused(path(tryId, stranger))).toEqual([404, 'account_not_found']);
    const strange = await openDesk(api, stranger.id);
    expect(await refused(path(tryId, stranger), strange.headers)).toEqual([404, 'try_not_found']);
  });

  it('409 for a try in text; a try by microphone takes no text', async () => {
    const [text, spoken] = [await begun('text'), await begun()];
    expect(await refused(path(text))).toEqual([409, 'try_medium_differs']);
    const said = await member.request('POST', `agents/${agentId}/try/${spoken}/messages`, { json: { text: 'Hello?' } });
    expect([said.status, said.error().code]).toEqual([409, 'try_medium_differs']);
  });

  it('422 for a program with its key: it has no microphone', async () => {
    const asked = await api.request('POST', `/agents/${agentId}/try`, {
      key: account.key,
      json: { medium: 'microphone' },
    });
    expect([asked.status, asked.error().code]).toEqual([422, 'try_not_possible']);
    expect((await api.admin.wallets.show(account.id)).heldMicros).toBe(0n);
  });
});
