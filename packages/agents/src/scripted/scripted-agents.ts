import type { SpeechSynthesizer, VoiceAgent } from '@outdial/calls';
import type { ScriptedSettings } from '@outdial/contracts';
import { createTurnDetector } from '../hearing/turn-detector.ts';
import { loadVoiceDetectors } from '../hearing/voice-detector.ts';
import { createScript, firstLines, type Script } from './script.ts';
import { ScriptedAgent } from './scripted-agent.ts';

export interface ScriptedAgents {
  prepare(input: {
    readonly settings: ScriptedSettings;
    readonly variables: Readonly<Record<string, string>>;
  }): Promise<VoiceAgent>;
}

export interface ScriptedAgentsOptions {
  readonly speech: SpeechSynthesizer;
  /** Receives the error of a call that ended with `agent_error`. */
  readonly onError?: (error: unknown) => void;
}

/**
 * Agents that follow the script in an agent's settings.
 *
 * `prepare` resolves once the first message can be played, and rejects with an AgentError if it cannot be spoken. The
 * other lines are synthesized one after the other during ringing and the conversation, and each later step during the
 * previous one, so that a long script does not delay the first words of the next call. The agent is silent while it waits
 * for a line that is not synthesized yet.
 */
export function createScriptedAgents(options: ScriptedAgentsOptions): ScriptedAgents {
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
        detector: createTurnDetector(createDetector()),
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
