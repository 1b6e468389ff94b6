import { providerAddress } from '@outdial/providers';
import type { OpenedModel } from '../../src/model-thread/messages.ts';
import type { SimulatedProvider } from './simulated-provider.ts';

/** The two kinds of minds. */
export const FAMILIES = ['realtime', 'cascade'] as const;
export type Family = (typeof FAMILIES)[number];

/** Which provider conducts the realtime family. */
export const REALTIME_PROVIDERS = ['openai', 'openai_live', 'azure', 'xai', 'google'] as const;
export type RealtimeProvider = (typeof REALTIME_PROVIDERS)[number];
/** Below the address of the simulated providers, as credentials have them. */
export const REALTIME_PATHS = {
  openai: '/v1',
  openai_live: '/v1',
  azure: '',
  xai: '/xai/v1',
  google: '/v1beta',
} as const;
/** A model of each, with what it has no default for. */
export const REALTIME_CHOICE = {
  openai: { model: 'gpt-realtime-2.1' },
  openai_live: { model: 'gpt-live-1.1' },
  azure: { model: 'gpt-realtime-2.1', transcription: { model: 'gpt-4o-mini-transcribe' } },
  xai: { model: 'grok-voice-think-fast-1.0' },
  google: { model: 'gemini-3.8-live' },
} as const;

type Address = Pick<SimulatedProvider, 'address'>;

export interface ConductedAgentOptions {
  /** The name of the model, which may be that of a fault. */
  readonly model?: string;
  /** Of the realtime family. Default: OpenAI. */
  readonly provider?: RealtimeProvider;
  readonly settings?: object;
}

const COMMON = {
  name: 'Appointment',
  instructions: 'You call patients of a dental practice.',
  // On a busy machine the answers are late, and these tests are not about what bridges the pause.
  waiting: { after_ms: 10_000 },
  no_input: { after_ms: 60_000 },
  first_message: 'Good morning {{name}}, this is the dental practice.',
};
const CREDENTIAL = { isFallback: false, credentialId: 'main', isOwn: false, apiKey: 'sk-simulated-canary-4711' };

/** Settings of an agent of this family, and its models at the simulated providers. */
export function conductedAgent(family: Family, { address }: Address, options: ConductedAgentOptions = {}) {
  return family === 'realtime' ? realtimeAgent(address, options) : cascadeAgent(address, options);
}

function realtimeAgent(
  address: string,
  { provider = 'openai', model = REALTIME_CHOICE[provider].model, settings }: ConductedAgentOptions,
) {
  const baseUrl = providerAddress({ provider, baseUrl: `${address}${REALTIME_PATHS[provider]}`, region: null }) ?? '';
  const models: readonly OpenedModel[] = [{ component: 'realtime', provider, model, baseUrl, ...CREDENTIAL }];
  const chosen = { ...REALTIME_CHOICE[provider], provider, model };
  return { settings: { ...COMMON, driver: 'realtime', model: chosen, ...settings }, models };
}

/** `model`: of the component that answers. */
function cascadeAgent(address: string, { model = 'gpt-simulated', settings }: ConductedAgentOptions) {
  const models: readonly OpenedModel[] = [
    { component: 'stt', provider: 'deepgram', model: 'flux-general-en', baseUrl: address, ...CREDENTIAL },
    { component: 'llm', provider: 'openai', model, baseUrl: `${address}/v1`, ...CREDENTIAL },
    { component: 'tts', provider: 'elevenlabs', model: 'eleven_flash_v2_5', baseUrl: address, ...CREDENTIAL },
  ];
  const chosen = {
    stt: { provider: 'deepgram' },
    llm: { provider: 'openai', model },
    tts: { provider: 'elevenlabs', voice: 'simulatedvoice1' },
  };
  return { settings: { ...COMMON, driver: 'cascade', ...chosen, ...settings }, models };
}
