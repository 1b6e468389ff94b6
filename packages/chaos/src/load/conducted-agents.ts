import { agentSettingsSchema, type AgentSettings } from '@outdial/contracts';
import type { ModelProviders } from '../stack/models.ts';

const COMMON = {
  name: 'Appointment',
  instructions: 'You call patients to confirm an appointment.',
  first_message: 'Hello, this is Riverside Dental. Am I speaking with the patient?',
  closing: 'Goodbye.',
};
const MODELS = [
  { driver: 'realtime', model: { provider: 'openai', model: 'gpt-realtime-2.1' } },
  {
    driver: 'cascade',
    stt: { provider: 'deepgram' },
    llm: { provider: 'openai', model: 'gpt-5-mini' },
    tts: { provider: 'elevenlabs', voice: 'EXAVITQu4vr4xnSDxMaL' },
  },
] as const;

/** An agent that calls the reception, introduces its callee and leaves: a role of the simulated model, by its instructions. */
export function connectingAgent(reception: { readonly number: string; readonly introduction: string }): AgentSettings {
  const destination = {
    name: 'Reception',
    to_number: reception.number,
    description: 'Everything.',
    introduction: reception.introduction,
  };
  const tool = {
    type: 'transfer_call',
    mode: 'warm',
    name: 'transfer',
    description: 'Connects the patient.',
    destinations: [destination],
  };
  const instructions = 'You connect patients with the reception.';
  return agentSettingsSchema.parse({ ...COMMON, ...MODELS[1], instructions, tools: [tool] });
}

/** An agent of each family, for the script of the simulated providers. */
export function conductedAgents({ url }: Pick<ModelProviders, 'url'>): readonly AgentSettings[] {
  const tool = {
    type: 'http',
    name: 'find_free_slots',
    description: 'Finds the free slots of a day.',
    method: 'GET',
    url: `${url}/tools/free-slots`,
    send: 'query',
    parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
  };
  return MODELS.map((models) => agentSettingsSchema.parse({ ...COMMON, ...models, tools: [tool] }));
}
