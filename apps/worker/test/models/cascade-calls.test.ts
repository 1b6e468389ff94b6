import { createSpeechSynthesizer } from '@outdial/agents';
import { newAccountId } from '@outdial/calls/testing';
import { systemClock } from '@outdial/kernel';
import { FREE_SLOTS, startMcpServer } from '@outdial/tool-sources/testing';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const BYE = 'That is fine, thank you.';
const OPENING = 'Good morning Anna, this is the dental practice.';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, tool: { name: 'free_slots', arguments: { day: 'Tuesday' } } },
    { when: /thank you/, say: 'Thank you, goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};

const ACCOUNT = newAccountId();
const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const used: string[] = [];
const asked: string[] = [];
let hasLine = true;
beforeEach(() => {
  used.length = asked.length = 0;
  hasLine = true;
});
const stage = openModelStage({
  used: (_, { component, credentialId }, outcome) => void used.push(`${component} at ${credentialId}: ${outcome}`),
  async takeLine(_, { component, credentialId }) {
    asked.push(`${component} at ${credentialId}`);
    return hasLine;
  },
});
afterAll(async () => {
  await stage.close();
  await speech.close();
});

async function provider(): Promise<SimulatedProvider> {
  const sentences = await Promise.all([HELLO, SLOTS, BYE].map(async (text) => ({ text, samples: await callee(text) })));
  const started = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => started.close());
  return started;
}

const httpTool = ({ toolUrl }: SimulatedProvider): object => {
  return { type: 'http', name: 'free_slots', description: 'Finds free slots.', url: toolUrl };
};

function open(at: SimulatedProvider, { isOwn = false, llm = 'gpt-simulated', tools = [httpTool(at)] } = {}) {
  const settings = {
    driver: 'cascade',
    name: 'Appointment',
    instructions: 'You call patients of a dental practice.',
    // On a busy machine the answers are late, and these tests are not about what bridges the pause.
    waiting: { after_ms: 10_000 },
    first_message: 'Good morning {{name}}, this is the dental practice.',
    stt: { provider: 'deepgram', keywords: ['Miller'], options: { eot_threshold: 0.7, eager_eot_threshold: 0.4 } },
    llm: { provider: 'openai', model: llm, fallbacks: [{ provider: 'openai_compatible', model: 'gpt-simulated' }] },
    tts: { provider: 'elevenlabs', voice: 'simulatedvoice1', speed: 1.1, options: { stability: 0.5 } },
    tools,
  };
  const credential = { isFallback: false, credentialId: 'main', isOwn, apiKey: 'sk-simulated-canary-4711' };
  const models = [
    { component: 'stt', provider: 'deepgram', model: 'flux-general-en', baseUrl: at.address, ...credential },
    { component: 'llm', provider: 'openai', model: llm, baseUrl: `${at.address}/v1`, ...credential },
    {
      component: 'llm',
      provider: 'openai_compatible',
      model: 'gpt-simulated',
      baseUrl: `${at.address}/v1`,
      ...credential,
      isFallback: true,
      credentialId: 'spare',
    },
    {
      component: 'tts',
      provider: 'elevenlabs',
      model: 'eleven_flash_v2_5',
      baseUrl: at.address,
      ...credential,
      // One text at a time suffices for a call: each gives its place to the next.
      generations: { key: 'main', most: 1, isShared: !isOwn, accountId: ACCOUNT },
    },
  ] as const;
  return openConductedCall(stage, { models, settings, speech });
}

test('three models conduct a call to its end, with every word of both sides, a tool and its usage', async () => {
  const at = await provider();
  const call = await open(at);
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  await call.hearOut();
  await call.say(await callee(BYE));
  await call.waitUntil(() => call.hungUp() !== undefined);
  const { transcript } = await call.agent.finish();
  expect(call.hungUp()).toBe('agent_hangup');
  expect(transcript.map(({ role, text, source }) => [role, text, source])).toEqual([
    ['callee', HELLO, 'stt'],
    ['agent', OPENING, 'script'],
    ['callee', SLOTS, 'stt'],
    ['agent', 'There is a slot at nine.', 'model'],
    ['callee', BYE, 'stt'],
    ['agent', 'Thank you, goodbye.', 'model'],
  ]);
  expect(call.events.filter((event) => event.kind === 'tool_called')).toMatchObject([
    { name: 'free_slots', arguments: { day: 'Tuesday' }, outcome: 'ok', result: expect.stringContaining('9:00') },
    { name: 'end_call', arguments: { reason: 'done' }, outcome: 'ok' },
  ]);
  const used = call.events.flatMap((event) => (event.kind === 'usage' ? event.entries : []));
  const sum = (component: string, unit: string) =>
    used
      .filter((entry) => entry.component === component && entry.unit === unit)
      .reduce((total, { quantity }) => total + quantity, 0);
  for (const unit of ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const) {
    expect(sum('llm', unit)).toBe(at.ledger.total({ component: 'llm', unit }));
  }
  expect(sum('tts', 'character')).toBe(at.ledger.total({ component: 'tts', unit: 'character' }));
  expect(sum('stt', 'second')).toBeGreaterThan(0);
  // The provider may read the last frames after the call has ended.
  await expect.poll(() => at.ledger.total({ component: 'stt', unit: 'second' })).toBeCloseTo(sum('stt', 'second'), 6);
  expect(JSON.stringify(call.events)).not.toContain('canary');
});

test('a tool of an MCP server answers in the call, as it was listed, in a session that ends with the call', async () => {
  const at = await provider();
  const server = await startMcpServer({ call: () => ({ content: [{ type: 'text', text: 'free at 9:00' }] }) });
  closers.push(() => server.close());
  const { name, description = '', inputSchema: parameters } = FREE_SLOTS;
  const listed = { name, server_name: name, description, parameters, idempotent: false };
  const source = { type: 'mcp', name: 'crm', url: server.url };
  const tools = [{ ...source, listed: { protocol_version: '2025-11-25', tools: [listed] } }];
  const call = await open(at, { tools });
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  await call.hearOut();
  expect(server.called).toEqual(['free_slots']);
  expect(server.received.some(({ rpc }) => rpc === 'tools/list')).toBe(false);
  expect(server.sessions).toBe(1);
  const { transcript } = await call.agent.finish();
  expect(transcript.at(-1)?.text).toBe('There is a slot at nine.');
  expect(call.events.filter((event) => event.kind === 'tool_called')).toMatchObject([
    { name: 'free_slots', arguments: { day: 'Tuesday' }, outcome: 'ok', result: 'free at 9:00' },
  ]);
  await expect.poll(() => server.sessions).toBe(0);
});

test('a model that refuses the credential is followed by its fallback, at its own address', async () => {
  const at = await provider();
  const call = await open(at, { llm: '401' });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(BYE));
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('agent_hangup');
  expect((await call.agent.finish()).transcript.at(-1)?.text).toBe('Thank you, goodbye.');
  // It takes a line once, for all of its answers.
  expect(asked).toEqual(['llm at spare']);
  expect(new Set(used)).toEqual(
    new Set(['llm at main: rejected', 'llm at spare: success', 'tts at main: success', 'stt at main: success']),
  );
});

test('a fallback without a free line is not used', async () => {
  const at = await provider();
  hasLine = false;
  const call = await open(at, { llm: '401' });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(SLOTS));
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(call.hungUp()).toBe('provider_unavailable');
  expect(new Set(asked)).toEqual(new Set(['llm at spare']));
  expect(used).not.toContain('llm at spare: success');
});

test('a provider that answers nothing, or too late, is reported as its own fault', async () => {
  const at = await provider();
  const call = await open(at, { llm: '503' });
  await call.say(new Int16Array(1_600));
  await call.say(await callee(HELLO));
  await call.hearOut();
  await call.say(await callee(BYE));
  await call.waitUntil(() => call.hungUp() !== undefined);
  expect(used).toContain('llm at main: fault');
  expect(used).not.toContain('llm at main: rejected');
});

test('the credential of an account leads to no private address, and no connection is made', async () => {
  const at = await provider();
  const call = await open(at, { isOwn: true });
  await expect.poll(() => call.hungUp()).toBe('provider_rejected');
  expect(at.connections()).toBe(0);
});
