/**
 * The simulated providers as a process, with fixed delays: TLS on `PORT` of loopback. Sends `ready`, and answers `ledger`
 * with what the providers would bill.
 */
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createSpeechSynthesizer } from '@outdial/agents';
import { systemClock } from '@outdial/kernel';
import { createSimulatedProviders, type Ears, type Script } from '@outdial/simulated-providers';
import { LOCALHOST_IDENTITY } from '@outdial/testkit';
import { ANSWER, OPENING } from './agents.ts';
import { breakConnections } from './break-connections.ts';
import type { BilledTotals } from './providers-process.ts';

const SCRIPT: Script = { opening: { say: ANSWER }, rules: [], otherwise: { say: ANSWER } };
const TIMINGS = { silenceMs: 500, thinkMs: 200, endOfTurnMs: 260, firstTokenMs: 120, firstSoundMs: 100 };

/** What callees say is not measured, and finding it out would take the machine from what is. */
const EARS: Ears = { recognise: () => 'Yes, speaking.' };

const speech = createSpeechSynthesizer({ clock: systemClock });
const speak = (text: string) => speech.synthesize({ text, voice: 'slt' });
// From here on they are in the synthesizer's cache.
await Promise.all([ANSWER, OPENING].map(speak));
const server = createServer({ key: LOCALHOST_IDENTITY.key, cert: LOCALHOST_IDENTITY.certificate });
breakConnections(server);
const providers = createSimulatedProviders({
  clock: systemClock,
  ears: EARS,
  speak,
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
    // The transcription of a realtime model is billed in tokens, by the same provider.
    realtimeTokens:
      total({ component: 'realtime', unit: 'token' }) +
      total({ component: 'stt', provider: 'openai', unit: 'input_audio_token' }) +
      total({ component: 'stt', provider: 'openai', unit: 'output_text_token' }),
    llmTokens:
      total({ component: 'llm', unit: 'input_text_token' }) +
      total({ component: 'llm', unit: 'cached_input_text_token' }) +
      total({ component: 'llm', unit: 'output_text_token' }),
    sttSeconds: total({ component: 'stt', unit: 'second' }),
    ttsCharacters: total({ component: 'tts', unit: 'character' }),
  };
}
