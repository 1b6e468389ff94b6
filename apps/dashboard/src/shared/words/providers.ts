import type { Provider } from '@outdial/contracts';

/** The providers' names. */
export const PROVIDER_WORDS: Readonly<Record<Provider, string>> = {
  openai: 'OpenAI',
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  cartesia: 'Cartesia',
  anthropic: 'Anthropic',
  google: 'Google',
  azure: 'Azure OpenAI',
  xai: 'xAI',
  openai_live: 'OpenAI GPT-Live',
  openai_compatible: 'OpenAI-compatible server',
  local: 'Local server',
};
