/**
 * The simulated providers as a process, with fixed delays: TLS on `PORT` of loopback. Sends `ready`, and answers `ledger`
 * with what the providers would bill.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { CALLEE_VOICE, createVoiceClips, TEST_NUMBERS, VOICES_FOLDER } from '@outdial/simulated-network';
import { createEars, createSimulatedProviders, type KnownSentence, type Script } from '@outdial/simulated-providers';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { ANSWER } from './agents.ts';
import { breakConnections } from './break-connections.ts';
import type { BilledTotals } from './providers-process.ts';

const SCRIPT: Script = { opening: { say: ANSWER }, rules: [], otherwise: { say: ANSWER } };
const TIMINGS = { silenceMs: 500, thinkMs: 200, endOfTurnMs: 260, firstTokenMs: 120, firstSoundMs: 100 };

async function calleeSentences(): Promise<readonly KnownSentence[]> {
  const clips = createVoiceClips(VOICES_FOLDER);
  const sounds = [...TEST_NUMBERS.values()].flatMap((persona) => persona.sounds);
  const texts = new Set(sounds.flatMap((sound) => (sound.kind === 'speech' ? [sound.text] : [])));
  return Promise.all(
    [...texts].map(async (text) => ({ text, samples: await clips.synthesize({ text, voice: CALLEE_VOICE }) })),
  );
}

const speech = createSpeechSynthesizer({ clock: systemClock });
const server = createServer({ key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate });
breakConnections(server);
const providers = createSimulatedProviders({
  clock: systemClock,
  ears: createEars(await calleeSentences()),
  speak: (text) => speech.synthesize({ text, voice: 'slt' }),
  script: SCRIPT,
  timings: TIMINGS,
});
providers.serve(server);
server.listen(Number(process.env['PORT']), 'localhost');
await once(server, 'listening');
process.on('message', (message) => {
  if (message === 'ledger') process.send?.({ ledger: billed() });
});
process.send?.('ready');

function billed(): BilledTotals {
  const { total } = providers.ledger;
  return {
    realtimeTokens: total({ component: 'realtime', unit: 'token' }),
    llmTokens:
      total({ component: 'llm', unit: 'input_text_token' }) +
      total({ component: 'llm', unit: 'cached_input_text_token' }) +
      total({ component: 'llm', unit: 'output_text_token' }),
    sttSeconds: total({ component: 'stt', unit: 'second' }),
    ttsCharacters: total({ component: 'tts', unit: 'character' }),
  };
}
