import type { SpeechSynthesizer, VoiceAgentFactory } from '@outdial/calls';
import { fillTemplate, type ConductedSettings, type Voice } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import { createTurnDetector } from '../hearing/turn-detector.ts';
import { loadVoiceDetectors } from '../hearing/voice-detector.ts';
import { createScriptLine, type ScriptLine } from '../scripted/script-line.ts';
import type { MindLink } from './bridge.ts';
import { conductedTextsOf } from './conducted-texts.ts';
import { ModelAgent } from './model-agent.ts';

export interface ModelAgentsOptions {
  /** The built-in voice: it speaks where no provider can. */
  readonly speech: SpeechSynthesizer;
  readonly link: MindLink;
  readonly clock: Clock;
}

const VOICE: Voice = 'slt';

/**
 * Agents that models conduct. `prepare` resolves once the failure message can be played: a mind that fails before the
 * answer ends the call at once.
 */
export function createModelAgents({
  speech: synthesizer,
  link,
  clock,
}: ModelAgentsOptions): VoiceAgentFactory<ConductedSettings> {
  return {
    async prepare({ callId, settings, variables }) {
      const builtIn = (path: string, text: string): ScriptLine =>
        createScriptLine({ purpose: 'closing', path, text: fillTemplate(text, variables), voice: VOICE, synthesizer });
      const failureLine = builtIn('failure_message', settings.failure_message);
      const waitingLines = settings.waiting.phrases.map((text, index) => builtIn(`waiting.phrases.${index}`, text));
      const [createDetector] = await Promise.all([loadVoiceDetectors(), failureLine.prepare()]);
      for (const line of waitingLines) void line.prepare();
      return new ModelAgent({
        callId,
        settings,
        texts: conductedTextsOf(settings, variables),
        link,
        detector: createTurnDetector(createDetector()),
        clock,
        failureLine,
        waitingLines,
      });
    },
  };
}
