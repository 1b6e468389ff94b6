import type { Provider } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

/** What opens a session with a speech-to-speech model, and costs no tokens. */
export interface SessionRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent once the connection is open: the settings. */
  readonly settings: object;
  /** The message that says that they are accepted: its `type`, or the name of its field at Google. */
  readonly accepted: string;
  /** Sent before the connection is closed. */
  readonly farewell?: object;
}

const ULAW = { type: 'audio/pcmu' } as const;
const OPENAI_SETTINGS = {
  type: 'session.update',
  session: {
    type: 'realtime',
    output_modalities: ['audio'],
    audio: { input: { format: ULAW, turn_detection: null }, output: { format: ULAW } },
  },
};
const XAI_SETTINGS = {
  type: 'session.update',
  session: { turn_detection: null, audio: { input: { format: ULAW }, output: { format: ULAW } } },
};
const XAI_MODEL = 'grok-voice-latest';
const GOOGLE_SERVICE = 'GenerativeService.BidiGenerateContent';

export interface SessionTarget {
  readonly provider: Provider;
  /** Where the provider's interface is, without a slash at the end. */
  readonly address: string;
  readonly apiKey: string;
  readonly model: string | undefined;
}

/**
 * Null: the model is none of speech to speech, or the provider has none. A provider that serves other models too has a session
 * opened for a model that is named alone: a key may have the rights of one kind of model.
 */
export function sessionRequestOf({ provider, address, apiKey, model }: SessionTarget): SessionRequest | null {
  const base = address.replace(/^http/, 'ws');
  const realtime = (name: string) => `${base}/realtime?model=${encodeURIComponent(name)}`;
  const bearer = { Authorization: `Bearer ${apiKey}` };
  switch (provider) {
    case 'openai':
      if (model?.includes('realtime') !== true) return null;
      return { url: realtime(model), headers: bearer, settings: OPENAI_SETTINGS, accepted: 'session.updated' };
    // A model is named by its deployment.
    case 'azure':
      if (model === undefined) return null;
      return {
        url: realtime(model),
        headers: { 'api-key': apiKey },
        settings: OPENAI_SETTINGS,
        accepted: 'session.updated',
      };
    case 'xai':
      return {
        url: realtime(model ?? XAI_MODEL),
        headers: bearer,
        settings: XAI_SETTINGS,
        accepted: 'session.updated',
      };
    case 'openai_live':
      if (model === undefined) return null;
      return {
        url: `${base}/live/sessions`,
        headers: bearer,
        settings: { type: 'session.start', session: { model, audio: { format: { ...ULAW, rate: 8_000 } } } },
        accepted: 'session.started',
        // Its time is billed for as long as it is open.
        farewell: { type: 'session.close' },
      };
    case 'google':
      if (model === undefined || !/live|native-audio/.test(model)) return null;
      return {
        url: googleUrl(base),
        headers: { 'x-goog-api-key': apiKey },
        settings: { setup: { model: `models/${model}`, generationConfig: { responseModalities: ['AUDIO'] } } },
        accepted: 'setupComplete',
      };
    case 'anthropic':
    case 'cartesia':
    case 'deepgram':
    case 'elevenlabs':
    case 'local':
    case 'openai_compatible':
      return null;
    default:
      return unreachable(provider);
  }
}

function googleUrl(base: string): string {
  const [, host = base, version = 'v1beta'] = /^(.*)\/(v1(?:alpha|beta)?)$/.exec(base) ?? [];
  return `${host}/ws/google.ai.generativelanguage.${version}.${GOOGLE_SERVICE}`;
}
