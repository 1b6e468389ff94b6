import type { VoiceAgentFactory } from '@outdial/calls';
import type { ConductedSettings } from '@outdial/contracts';
import type { ScriptedAgents } from './scripted/scripted-agents.ts';

/** Each agent by what conducts its calls. */
export function createAgentsByDriver(factories: {
  readonly scripted: ScriptedAgents;
  readonly conducted: VoiceAgentFactory<ConductedSettings>;
}): VoiceAgentFactory {
  return {
    prepare: ({ settings, ...input }) =>
      settings.driver === 'scripted'
        ? factories.scripted.prepare({ settings, ...input })
        : factories.conducted.prepare({ settings, ...input }),
  };
}
