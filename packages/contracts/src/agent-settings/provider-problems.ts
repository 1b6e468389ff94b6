import type { InvalidParam } from '../errors.ts';
import type { CascadeSettings, SttChoice, TtsChoice } from './cascade.ts';
import { DEEPGRAM_VOICES } from './deepgram-voices.ts';

/**
 * What a provider would refuse in settings that match their schema: models, voices, speeds and options that it does not
 * have. `param` is a path in the settings.
 */
export function providerProblems({ stt, tts, endpointing }: CascadeSettings): readonly InvalidParam[] {
  const earProblems = (choice: SttChoice) => sttProblems(choice, endpointing.min_delay_ms);
  return [
    ...problemsOf('stt', stt, earProblems),
    ...stt.fallbacks.flatMap((fallback, index) => problemsOf(`stt.fallbacks.${index}`, fallback, earProblems)),
    ...problemsOf('tts', tts, ttsProblems),
    ...tts.fallbacks.flatMap((fallback, index) => problemsOf(`tts.fallbacks.${index}`, fallback, ttsProblems)),
  ];
}

function problemsOf<Choice>(
  path: string,
  choice: Choice,
  find: (choice: Choice) => readonly InvalidParam[],
): readonly InvalidParam[] {
  return find(choice).map(({ param, message }) => ({ param: `${path}.${param}`, message }));
}

function sttProblems(choice: SttChoice, silenceMs: number): readonly InvalidParam[] {
  switch (choice.provider) {
    case 'deepgram':
      return deepgramEarProblems(choice);
    case 'local':
      return eagerProblems(choice.options, silenceMs);
    default:
      return choice satisfies never;
  }
}

/** A turn that is over needs no guess. */
function eagerProblems(
  options: Extract<SttChoice, { provider: 'local' }>['options'],
  silenceMs: number,
): readonly InvalidParam[] {
  const { endpointing_ms: overMs = silenceMs, eager_endpointing_ms: likelyMs } = options;
  if (likelyMs === undefined || likelyMs < overMs) return [];
  const message = `must be less than the silence that ends a turn, which is ${overMs} ms`;
  return [{ param: 'options.eager_endpointing_ms', message }];
}

function deepgramEarProblems({ model, options }: Extract<SttChoice, { provider: 'deepgram' }>) {
  const isFlux = model.startsWith('flux-');
  if (!isFlux && !model.startsWith('nova-')) {
    return [{ param: 'model', message: 'must be a model of Deepgram that streams: flux-… or nova-…' }];
  }
  const { endpointing_ms: ofNova, ...ofFlux } = options;
  if (isFlux && ofNova !== undefined) {
    return [{ param: 'options.endpointing_ms', message: 'must be left out: Flux has eot_timeout_ms instead' }];
  }
  if (isFlux) return [];
  const given = Object.entries(ofFlux).filter(([, value]) => value !== undefined);
  return given.map(([name]) => ({ param: `options.${name}`, message: 'must be left out: only Flux has it' }));
}

function ttsProblems(choice: TtsChoice): readonly InvalidParam[] {
  switch (choice.provider) {
    case 'elevenlabs':
      return [
        // Source: https://elevenlabs.io/docs/api-reference/text-to-speech/v-1-text-to-speech-voice-id-multi-stream-input
        ...modelProblem(choice.model.startsWith('eleven_') && choice.model !== 'eleven_v3', 'eleven_…, and stream'),
        ...speedProblem(choice.speed, 0.7, 1.2),
      ];
    case 'cartesia':
      return [...modelProblem(choice.model.startsWith('sonic'), 'sonic-…'), ...speedProblem(choice.speed, 0.6, 1.5)];
    case 'deepgram':
      return deepgramProblems(choice);
    case 'local':
      return choice.options.format === 'wav' && choice.options.sample_rate !== undefined
        ? [{ param: 'options.sample_rate', message: 'must be left out: a WAV file names its rate' }]
        : [];
    default:
      return choice satisfies never;
  }
}

/** Source: https://developers.deepgram.com/docs/flux-tts/quickstart. Aura speaks over another interface. */
function deepgramProblems({ model, voice, speed }: Extract<TtsChoice, { provider: 'deepgram' }>) {
  const problems = [...modelProblem(model === 'flux', 'flux'), ...speedProblem(speed, 0.5, 1.5)];
  if (!DEEPGRAM_VOICES.includes(voice)) {
    problems.push({ param: 'voice', message: `must be a voice of Deepgram Flux: ${DEEPGRAM_VOICES.join(', ')}` });
  }
  if (speed !== undefined && problems.length === 0 && !Number.isInteger(Math.round(speed * 1e6) / 50_000)) {
    problems.push({ param: 'speed', message: 'must be a multiple of 0.05' });
  }
  return problems;
}

function modelProblem(isKnown: boolean, known: string): readonly InvalidParam[] {
  return isKnown ? [] : [{ param: 'model', message: `must be a model of the provider that speaks: ${known}` }];
}

function speedProblem(speed: number | undefined, least: number, most: number): readonly InvalidParam[] {
  if (speed === undefined || (speed >= least && speed <= most)) return [];
  return [{ param: 'speed', message: `must be from ${least} to ${most}, as the provider has it` }];
}
