import { systemClock } from '@outdial/kernel';
import {
  connectForCommands,
  connectForWaiting,
  createPersonEnd,
  type FromAgent,
  type FromPerson,
} from '@outdial/queue';
import { encodeG711 } from '@outdial/telephony';
import type { TryEvent, TryId } from '@outdial/contracts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CASCADE, openTryStage, REALTIME, type TryStage } from './try-stage.ts';

const HELLO = 'Hello?';
const BYE = 'That is fine, thank you.';
const STOP = 'Please stop calling me.';
const OPENING = 'Good morning Anna, this is the dental practice.';
const SPEED = 3;
const FRAME_BYTES = 160;
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [
    { when: /thank you/, say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } },
    { when: /stop calling/, tool: { name: 'opt_out', arguments: { reason: 'asked to stop' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};

let stage: TryStage;
let connections: readonly ReturnType<typeof connectForCommands>[];
beforeAll(async () => {
  stage = await openTryStage({ lines: 20, script: SCRIPT, sentences: [HELLO, BYE, STOP], speed: SPEED });
  connections = [connectForCommands(stage.redisUrl), connectForWaiting(stage.redisUrl)];
});
afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await stage.close();
});

/** The API process of a person, with the frames of a microphone. */
function personAt(tryId: TryId) {
  const [sender, receiver] = connections;
  if (sender === undefined || receiver === undefined) throw new Error('both are open');
  const end = createPersonEnd({ sender, receiver, prefix: stage.prefix });
  const heard: FromAgent[] = [];
  const unfollow = end.follow(tryId, (message) => void heard.push(message));
  let isPresent = true;
  const knock = () => {
    if (!isPresent) return;
    end.send(tryId, { kind: 'present' });
    systemClock.after(50, knock);
  };
  knock();
  const leave = () => {
    isPresent = false;
  };
  onTestFinished(() => {
    leave();
    unfollow();
  });
  const kinds = () => heard.map(({ kind }) => kind);
  async function say(text: string): Promise<void> {
    const samples = await stage.person(text);
    const ulaw = new Uint8Array(Math.ceil(samples.length / FRAME_BYTES / 5) * FRAME_BYTES * 5).fill(0xff);
    encodeG711('PCMU', samples, ulaw, 0);
    for (let from = 0; from < ulaw.length; from += FRAME_BYTES * 5) {
      end.send(tryId, { kind: 'sound', ulaw: ulaw.subarray(from, from + FRAME_BYTES * 5) });
      await passMs(100 / SPEED);
    }
  }
  return {
    heard,
    leave,
    send: (message: FromPerson) => end.send(tryId, message),
    untilHeard: (kind: FromAgent['kind']) => expect.poll(kinds, { timeout: 10_000 }).toContain(kind),
    ended: () => heard.find((message) => message.kind === 'ended'),
    /** A busy machine loses sound, as a bad line does: the person says it again. */
    async sayUntil(text: string, isUnderstood: () => Promise<boolean> | boolean): Promise<void> {
      for (let times = 0; times < 6; times += 1) {
        await say(text);
        for (let waits = 0; waits < 60; waits += 1) {
          if (await isUnderstood()) return;
          await passMs(50);
        }
      }
      throw new Error(`"${text}" is not understood`);
    },
  };
}

const passMs = (ms: number) => new Promise((resolve) => systemClock.after(ms, () => resolve(null)));
const hasSaid = (tryId: TryId, text: string) => async () =>
  said(await stage.events(tryId), 'agent_text').includes(text);

async function begun(settings: object = REALTIME) {
  const account = await stage.account({
    settings: { ...settings, no_input: { after_ms: 60_000 }, waiting: { after_ms: 10_000 } },
  });
  const model = settings === CASCADE ? 'gpt-simulated' : 'gpt-realtime-2.1';
  const of = { accountId: account.id, agentId: account.agentId, model, medium: 'microphone' as const };
  return { account, tryId: await stage.begin(of) };
}

const said = (events: readonly TryEvent[], type: 'agent_text' | 'callee_text') =>
  events.flatMap((event) => (event.type === type && 'text' in event ? [event.text] : []));

test.each([
  ['a realtime agent', REALTIME],
  ['a cascade', CASCADE],
])('%s hears a person and is heard, hangs up, and is charged once', async (_, settings) => {
  const { account, tryId } = await begun(settings);
  const person = personAt(tryId);
  const running = stage.run(tryId);
  await person.untilHeard('hears');
  await person.sayUntil(HELLO, hasSaid(tryId, OPENING));
  await person.sayUntil(BYE, hasSaid(tryId, 'Goodbye.'));
  expect(await running).toEqual({ kind: 'done' });
  await person.untilHeard('ended');
  expect(person.ended()).toEqual({ kind: 'ended', reason: 'agent_hangup' });
  const loud = person.heard.filter((message) => message.kind === 'sound' && message.ulaw.some((code) => code !== 0xff));
  expect(loud.length).toBeGreaterThan(5);
  const events = await stage.events(tryId);
  expect(said(events, 'callee_text')).toContain(BYE);
  expect(said(events, 'agent_text')).toEqual(expect.arrayContaining([OPENING, 'Goodbye.']));
  expect(events[0]).toMatchObject({ type: 'started', provider: 'openai' });
  const { balance, ledger, charges, cost } = await stage.books(account.id);
  expect(cost).toBeGreaterThan(0n);
  expect([charges, balance, ledger]).toEqual([[-cost], 100_000_000n - cost, balance]);
  expect(events.at(-1)).toEqual({ type: 'ended', reason: 'agent_hangup', cost: Number(cost) / 1_000_000 });
  expect(await stage.holds()).toBe(0);
});

test('an agent that would opt the callee out confirms it, ends the try, and puts no number on a list', async () => {
  const { tryId } = await begun(CASCADE);
  const person = personAt(tryId);
  const running = stage.run(tryId);
  await person.sayUntil(HELLO, hasSaid(tryId, OPENING));
  await person.sayUntil(STOP, hasSaid(tryId, 'You will not be called again. Goodbye.'));
  await running;
  const events = await stage.events(tryId);
  expect(events.filter(({ type }) => type === 'act')).toEqual([
    { type: 'act', act: { kind: 'opt_out', reason: 'asked to stop' } },
  ]);
  expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'agent_hangup' });
  expect(await stage.suppressions()).toBe(0);
});

test('a try whose person leaves, or never comes, ends with the reason, and frees its hold', async () => {
  const [left, none] = [await begun(), await begun()];
  const person = personAt(left.tryId);
  const running = stage.run(left.tryId, { timings: { awayMs: 300 } });
  await stage.run(none.tryId, { timings: { joinMs: 50 } });
  await person.untilHeard('hears');
  person.leave();
  await running;
  for (const { tryId } of [left, none]) {
    expect((await stage.events(tryId)).at(-1)).toMatchObject({ type: 'ended', reason: 'connection_lost' });
  }
  const { charges, cost } = await stage.books(left.account.id);
  expect(charges.reduce((sum, charge) => sum - charge, 0n)).toBe(cost);
  expect(await stage.books(none.account.id)).toMatchObject({ charges: [], balance: 100_000_000n });
  expect(await stage.holds()).toBe(0);
});

test('a worker that stops ends its tries by microphone, and charges each once', async () => {
  const { account, tryId } = await begun();
  const person = personAt(tryId);
  const stopping = new AbortController();
  const running = stage.run(tryId, { stopping: stopping.signal });
  await person.untilHeard('sound');
  stopping.abort();
  await running;
  await person.untilHeard('ended');
  expect(person.ended()).toEqual({ kind: 'ended', reason: 'worker_lost' });
  const { charges, cost } = await stage.books(account.id);
  expect(charges.reduce((sum, charge) => sum - charge, 0n)).toBe(cost);
  expect(charges.length).toBeLessThanOrEqual(1);
});

test('a member who ends a try by microphone ends it', async () => {
  const { tryId } = await begun();
  const person = personAt(tryId);
  const running = stage.run(tryId);
  await person.untilHeard('hears');
  await stage.end(tryId);
  await running;
  await person.untilHeard('ended');
  expect(person.ended()).toEqual({ kind: 'ended', reason: 'ended_by_user' });
});

/** Far more than an API process lets pass. */
test('a person whose sound comes at a hundred times real time delays no neighbor', async () => {
  const [flooding, calm] = [await begun(), await begun()];
  const [greedy, neighbor] = [personAt(flooding.tryId), personAt(calm.tryId)];
  const running = [flooding, calm].map(({ tryId }) => stage.run(tryId));
  await greedy.untilHeard('hears');
  await neighbor.untilHeard('hears');
  let floods = true;
  const noise = Uint8Array.from({ length: 1_600 }, (_, nth) => (nth * 37) % 256);
  const flood = () => {
    if (!floods) return;
    for (let nth = 0; nth < 10; nth += 1) greedy.send({ kind: 'sound', ulaw: noise });
    systemClock.after(20, flood);
  };
  flood();
  await neighbor.sayUntil(HELLO, hasSaid(calm.tryId, OPENING));
  await neighbor.sayUntil(BYE, hasSaid(calm.tryId, 'Goodbye.'));
  await running[1];
  floods = false;
  await neighbor.untilHeard('ended');
  expect(neighbor.ended()).toEqual({ kind: 'ended', reason: 'agent_hangup' });
  await stage.end(flooding.tryId);
  await running[0];
});
