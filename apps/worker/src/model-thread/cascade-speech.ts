import type { CascadeSettings, SttChoice, TtsChoice } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import {
  cartesia,
  deepgramFlux,
  deepgramNova,
  deepgramSpeech,
  elevenLabs,
  localEars,
  localVoice,
  type LocalAccess,
  type OpenSpeechToText,
  type OpenTextToSpeech,
  type ProviderAccess,
} from '@outdial/minds';
import { socketAddress, type ChosenModel, type ProviderConnections } from './chosen-models.ts';
import { fluxTimeoutMs } from './flux-timeout.ts';

/** How the ears and the voice of a cascade reach their providers. */
export interface SpeechConnections extends ProviderConnections {
  readonly clock: Clock;
}

function accessOf({ openSocket, clock }: SpeechConnections, model: ChosenModel<unknown>): ProviderAccess {
  const { credential, address, scope } = model;
  return { credential, baseUrl: socketAddress(address), openSocket: openSocket(scope), clock };
}

function localAccessOf({ fetch, clock }: SpeechConnections, model: ChosenModel<unknown>): LocalAccess {
  const { credential, address, scope } = model;
  return { credential, baseUrl: address, fetch: fetch(scope), clock };
}

export function earsOf(
  connections: SpeechConnections,
  chosen: ChosenModel<SttChoice>,
  settings: CascadeSettings,
): OpenSpeechToText {
  const { choice } = chosen;
  switch (choice.provider) {
    case 'deepgram':
      return deepgramEarsOf(choice, accessOf(connections, chosen), settings);
    case 'local': {
      const { model, keywords, options } = choice;
      return localEars(localAccessOf(connections, chosen), {
        model,
        keywords,
        language: baseLanguage(settings.language),
        silenceMs: options.endpointing_ms ?? settings.endpointing.min_delay_ms,
        eagerSilenceMs: options.eager_endpointing_ms ?? null,
      });
    }
    default:
      return unreachable(choice);
  }
}

function deepgramEarsOf(
  { model, keywords, options }: Extract<SttChoice, { provider: 'deepgram' }>,
  access: ProviderAccess,
  { language, endpointing }: CascadeSettings,
): OpenSpeechToText {
  if (!model.startsWith('flux')) {
    const endpointingMs = endpointing.mode === 'silence' ? undefined : options.endpointing_ms;
    return deepgramNova(access, {
      model,
      language,
      keywords,
      endpointingMs: endpointingMs ?? endpointing.min_delay_ms,
    });
  }
  return deepgramFlux(access, {
    model,
    keywords,
    eagerEotThreshold: options.eager_eot_threshold ?? null,
    ...(options.eot_threshold === undefined ? {} : { eotThreshold: options.eot_threshold }),
    eotTimeoutMs: fluxTimeoutMs(endpointing, options),
    // A model of one language takes no hints.
    ...(model.includes('multi') ? { languages: [baseLanguage(language)] } : {}),
  });
}

/** `limit`: until the voice must be ready. */
export function voiceOf(
  connections: SpeechConnections,
  chosen: ChosenModel<TtsChoice>,
  { language }: CascadeSettings,
  limit: Pick<ProviderAccess, 'readyLimit'>,
): OpenTextToSpeech {
  const { choice } = chosen;
  const access = { ...accessOf(connections, chosen), ...limit };
  switch (choice.provider) {
    case 'elevenlabs': {
      const { model, voice, speed, options } = choice;
      return elevenLabs(access, {
        model,
        voice,
        // Other models find the language in the text, and refuse this setting.
        ...(model.endsWith('_v2_5') ? { language: baseLanguage(language) } : {}),
        ...(speed === undefined ? {} : { speed }),
        ...(options.stability === undefined ? {} : { stability: options.stability }),
        ...(options.similarity_boost === undefined ? {} : { similarityBoost: options.similarity_boost }),
      });
    }
    case 'cartesia': {
      const { model, voice, speed } = choice;
      const spoken = { language: baseLanguage(language), ...(speed === undefined ? {} : { speed }) };
      return cartesia(access, { model, voice, ...spoken });
    }
    case 'deepgram': {
      const { model, voice, speed } = choice;
      return deepgramSpeech(access, { model, voice, ...(speed === undefined ? {} : { speed }) });
    }
    case 'local': {
      const { model, voice, speed, options } = choice;
      return localVoice(
        { ...localAccessOf(connections, chosen), ...limit },
        {
          model,
          voice,
          format: options.format,
          ...(speed === undefined ? {} : { speed }),
          ...(options.sample_rate === undefined ? {} : { sampleRate: options.sample_rate }),
        },
      );
    }
    default:
      return unreachable(choice);
  }
}

/** Providers take languages without their region (ISO 639-1). */
function baseLanguage(language: string): string {
  return new Intl.Locale(language).language;
}
