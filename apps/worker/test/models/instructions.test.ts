import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { afterAll, afterEach, expect, test } from 'vitest';
import { conductedAgent, type RealtimeProvider } from './conducted-agent.ts';
import { openConductedCall, openModelStage } from './conducted-call.ts';
import { startSimulatedProvider } from './simulated-provider.ts';

const HELLO = 'Hello?';
const SLOTS = 'Do you have a free slot on Tuesday?';
const OPENING = 'Good morning Anna, this is the dental practice.';
const FRIDAY = 'How about Friday at four?';
const INSTRUCTION = 'Offer a slot on "Friday" afternoon.';
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [],
  otherwise: { say: 'We are full on Tuesday.' },
  // What the model does once it was instructed, and only then.
  roles: [{ instructions: /Friday/, opening: {}, rules: [{ when: /Tuesday/, say: FRIDAY }], otherwise: {} }],
};

const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
const callee = (text: string) => speech.synthesize({ text, voice: 'slt' });
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
const stage = openModelStage();
afterAll(async () => {
  await stage.close();
  await speech.close();
});

async function openCall(provider: RealtimeProvider | 'cascade') {
  const sentences = await Promise.all([HELLO, SLOTS].map(async (text) => ({ text, samples: await callee(text) })));
  await Promise.all([OPENING, FRIDAY].map(speak));
  const at = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
  closers.push(() => at.close());
  const agent = provider === 'cascade' ? conductedAgent('cascade', at) : conductedAgent('realtime', at, { provider });
  return openConductedCall(stage, { ...agent, speech });
}

test.each([
  ['openai', 'in a pause'],
  ['openai_live', 'while it speaks'],
  ['azure', 'while it speaks'],
  ['xai', 'in a pause'],
  ['google', 'in a pause'],
  ['google', 'while it speaks'],
  ['cascade', 'while it speaks'],
] as const)(
  '%s, instructed %s, follows it from its next answer on, and neither stops nor speaks because of it',
  async (of, when) => {
    const call = await openCall(of);
    await call.say(new Int16Array(1_600));
    // Otherwise a busy machine takes what the callee said before for an interruption of the opening.
    await call.connected();
    await call.say(await callee(HELLO));
    if (when === 'while it speaks') await call.waitUntil(() => call.agentSpeaks());
    else await call.hearOut();
    expect(call.agent.instruct?.(INSTRUCTION)).toBe(true);
    if (when === 'while it speaks') await call.hearOut();
    const before = call.itemsOver();
    await call.say(new Int16Array(16_000));
    expect([call.itemsOver(), call.agentSpeaks()]).toEqual([before, false]);
    await call.say(await callee(SLOTS));
    await call.hearOut();
    const { transcript } = await call.agent.finish();
    const said = transcript.map(({ role, text, source }) => [role, text, source]);
    expect(said).toContainEqual(['agent', OPENING, 'script']);
    expect(said).toContainEqual(['supervisor', INSTRUCTION, 'instruction']);
    expect(said.slice(-2)).toEqual([
      ['callee', SLOTS, 'stt'],
      ['agent', FRIDAY, 'model'],
    ]);
    expect(transcript.filter(({ interrupted }) => interrupted)).toEqual([]);
    expect(call.agent.instruct?.('too late')).toBe(false);
  },
);
