import { fillTemplate } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import { SharedChecks, type Mind } from '@outdial/minds';
import { callTools, toolsForModel } from './call-tools.ts';
import type { ProviderConnections } from './chosen-models.ts';
import type { CallToOpen } from './messages.ts';
import type { MindToOpen } from './mind-to-open.ts';
import { Generations } from './generations.ts';
import { openCascade } from './open-cascade.ts';
import { openRealtime } from './open-realtime.ts';

export type OpenMind = (input: MindToOpen) => Mind;

export interface MindsOptions extends ProviderConnections {
  readonly clock: Clock;
}

/** The mind that the settings of a call ask for. Throws if it cannot be opened with these models. */
export function createMinds(options: MindsOptions): OpenMind {
  const checks = new SharedChecks(options.clock);
  const generations = new Generations(options.clock);
  return ({ settings, ...input }) => {
    switch (settings.driver) {
      case 'realtime':
        return openRealtime(options, { ...input, settings });
      case 'cascade':
        return openCascade({ ...options, checks, generations }, { ...input, settings });
      default:
        return unreachable(settings);
    }
  };
}

/** What a mind is opened with, but for its listener. */
export function mindInputOf({ settings, variables, models }: CallToOpen): Omit<MindToOpen, 'listener' | 'uses'> {
  const filled = (text: string) => fillTemplate(text, variables);
  const knowledge = settings.knowledge.map(({ title, text }) => `# ${filled(title)}\n${filled(text)}`);
  const language = `Speak ${new Intl.DisplayNames('en', { type: 'language' }).of(settings.language) ?? settings.language} unless the callee wants another language.`;
  return {
    settings,
    instructions: [filled(settings.instructions), language, ...knowledge].join('\n\n'),
    tools: toolsForModel(callTools(settings), variables),
    models,
  };
}
