import type { SpeechSynthesizer, VoiceAgentFactory } from '@outdial/calls';
import { createEar } from '../hearing/ear.ts';
import { loadVoiceDetectors } from '../hearing/voice-detector.ts';
import { createScript, firstLines, type Script } from './script.ts';
import { ScriptedAgent } from './scripted-agent.ts';

export interface ScriptedAgentsOptions {
  readonly speech: SpeechSynthesizer;
  /** Learns why a call ended with `agent_error`. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Agents that follow the script in an agent's settings.
 *
 * `prepare` resolves once the first message can be played and rejects with an AgentError if it cannot be spoken. The
 * other lines are made while the far end rings and the conversation goes on, one after the other, and each later step
 * while the one before it is said, so that a long script does not hold up the first words of the next call; one that is
 * due before it is made is waited for in silence.
 */
export function createScriptedAgents(options: ScriptedAgentsOptions): VoiceAgentFactory {
  return {
    async prepare({ settings, variables }) {
      const script = createScript(settings, variables, options.speech);
      const [first] = script.steps;
      const [createDetector] = await Promise.all([loadVoiceDetectors(), first.prepare()]);
      const speech = first.speech();
      if (speech.state === 'failed') throw speech.error;
      let finished = false;
      void prepareInOrder(script, () => finished);
      return new ScriptedAgent({
        script,
        ear: createEar(createDetector()),
        onError: options.onError ?? (() => {}),
        onFinished: () => {
          finished = true;
        },
      });
    },
  };
}

async function prepareInOrder(script: Script, isFinished: () => boolean): Promise<void> {
  for (const line of firstLines(script)) {
    if (isFinished()) return;
    await line.prepare();
  }
}
