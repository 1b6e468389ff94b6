import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSpeechSynthesizer } from '@outdial/agents';
import { agentSettingsSchema, type CallId } from '@outdial/contracts';
import { systemClock } from '@outdial/kernel';
import {
  createAdministration,
  createCandidateReader,
  createCredentialDirectory,
  parseModelRatesCsv,
} from '@outdial/persistence';
import { CALLEE_VOICE, createVoiceClips, VOICES_FOLDER } from '@outdial/simulated-network';
import { openStage } from '../stage.ts';
import { startSimulatedProvider, type SimulatedProvider } from './simulated-provider.ts';

/** Which three models conduct a call; each combination has its own simulated providers, and so its own ledger. */
export interface Combination {
  readonly stt: 'nova-3' | 'flux-general-en';
  readonly llm: { readonly provider: 'anthropic' | 'google'; readonly model: string };
  readonly tts: { readonly provider: 'cartesia' | 'deepgram'; readonly model: string; readonly voice: string };
}

/** What the friendly callee says, in order. */
export const HEARD = ['Hello?', 'Yes, speaking.', 'Okay, that is fine.'] as const;
export const SAID = [
  'Good morning Ada, this is the dental practice.',
  'Does Tuesday at nine suit you?',
  'Thank you.',
] as const;
const SCRIPT = {
  opening: { say: 'Hello.' },
  rules: [
    { when: /speaking/, say: SAID[1] },
    { when: /fine/, say: SAID[2], tool: { name: 'end_call', arguments: { reason: 'The appointment is confirmed.' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
};
/** The first words must be understood before the agent has decided who answered. */
const EARS = { 'nova-3': { endpointing_ms: 250 }, 'flux-general-en': {} } as const;
const DEMO_RATES = new URL('../../../cli/demo/model-rates.csv', import.meta.url);

/** A worker at the speed of life, priced by the deck of the demo. */
export async function openCombinationsStage() {
  const speech = createSpeechSynthesizer({ clock: systemClock });
  const speak = (text: string) => speech.synthesize({ text, voice: 'rms' });
  const clips = createVoiceClips(VOICES_FOLDER);
  const sentences = await Promise.all(
    HEARD.map(async (text) => ({ text, samples: await clips.synthesize({ text, voice: CALLEE_VOICE }) })),
  );
  const secretKey = randomBytes(32);
  const stage = await openStage({
    credentials: (database) => createCredentialDirectory(createCandidateReader(database), systemClock),
  });
  const { agents, credentialsOf, modelRates } = createAdministration(stage.database, { actor: 'test' });
  const rates = parseModelRatesCsv(await readFile(DEMO_RATES, 'utf8'));
  if (!rates.ok) throw new Error(JSON.stringify(rates.problems));
  await modelRates.import({ currency: 'USD', rates: rates.rates });
  await stage.startWorker({
    OUTDIAL_SECRET_KEY: secretKey.toString('hex'),
    OUTDIAL_EGRESS_ALLOW: '127.0.0.0/8',
    OUTDIAL_SIMULATED_SPEED: '1',
  });
  const started: SimulatedProvider[] = [];

  async function saveCredentials(name: string, { llm, tts }: Combination, address: string): Promise<void> {
    const paths = { deepgram: '', cartesia: '', anthropic: '/v1', google: '/v1beta' } as const;
    for (const provider of new Set(['deepgram', llm.provider, tts.provider] as const)) {
      const baseUrl = `${address}${paths[provider]}`;
      const apiKey = `sk-simulated-${name}`;
      const ofProvider = `${name}-${provider}`;
      await credentialsOf(null).create({ provider, name: ofProvider, apiKey, baseUrl, region: null, secretKey });
    }
  }

  return {
    ...stage,
    /** Places a call that these models conduct. */
    async placeWith({
      stt,
      llm,
      tts,
    }: Combination): Promise<{ readonly callId: CallId; readonly at: SimulatedProvider }> {
      const at = await startSimulatedProvider({ script: SCRIPT, sentences, speak });
      started.push(at);
      const credential = `combination-${started.length}`;
      await saveCredentials(credential, { stt, llm, tts }, at.address);
      const settings = agentSettingsSchema.parse({
        driver: 'cascade',
        name: 'Appointment',
        instructions: 'You call patients of a dental practice.',
        first_message: 'Good morning {{name}}, this is the dental practice.',
        waiting: { after_ms: 10_000 },
        stt: { provider: 'deepgram', model: stt, credential: `${credential}-deepgram`, options: EARS[stt] },
        llm: { ...llm, credential: `${credential}-${llm.provider}` },
        tts: { ...tts, credential: `${credential}-${tts.provider}` },
        tools: [{ type: 'end_call', name: 'end_call', description: 'Ends the call.' }],
      });
      await agents.update({ agentId: stage.agentId, settings });
      return { callId: await stage.place('+12025550100', { maxDurationSeconds: 60 }), at };
    },
    async close() {
      await stage.close();
      for (const provider of started) await provider.close();
      await speech.close();
    },
  };
}
