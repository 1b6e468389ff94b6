import type { GenerationLimit } from '@outdial/calls';
import type { Component, Provider } from '@outdial/contracts';
import type { EgressScope } from '@outdial/egress';
import type { OpenSocket } from '@outdial/minds';
import type { MindToOpen } from './mind-to-open.ts';
import { modelUseOf, type ModelUse } from './model-use.ts';

/** How connections to providers are made. */
export interface ProviderConnections {
  readonly openSocket: (scope: EgressScope) => OpenSocket;
  readonly fetch: (scope: EgressScope) => typeof globalThis.fetch;
}

/** A model that the settings choose, with its credential. */
export interface ChosenModel<Choice> {
  readonly choice: Choice;
  readonly use: ModelUse;
  readonly credential: string;
  /** Of the provider's interface, such as `https://api.deepgram.com`, without a slash at its end. */
  readonly address: string;
  /** An account's credential leads to the internet alone. */
  readonly scope: EgressScope;
  /** Null: without a limit. */
  readonly generations: GenerationLimit | null;
}

/**
 * Finds the credentials of a component's models: the first choice, and its fallbacks. One whose credential is gone is
 * left out, so that the next takes its place. Throws if none is left.
 */
export function chosenModels<Choice extends { readonly provider: Provider; readonly model: string }>(
  component: Component,
  choices: readonly Choice[],
  { models, uses }: Pick<MindToOpen, 'models' | 'uses'>,
): readonly ChosenModel<Choice>[] {
  const left = models.filter((model) => model.component === component);
  const chosen = choices.flatMap((choice, index): ChosenModel<Choice>[] => {
    const at = left.findIndex(
      ({ provider, model, isFallback }) =>
        provider === choice.provider && model === choice.model && isFallback === index > 0,
    );
    const [model] = at < 0 ? [] : left.splice(at, 1);
    if (!model) return [];
    return [
      {
        choice,
        use: modelUseOf(uses, model),
        credential: model.apiKey,
        address: model.baseUrl,
        scope: model.isOwn ? 'internet' : 'allow_list',
        generations: model.generations ?? null,
      },
    ];
  });
  if (chosen.length === 0) throw new Error(`the call has no credential for its ${component} model`);
  return chosen;
}

/** The address for WebSockets. */
export function socketAddress(address: string): string {
  return address.replace(/^http/, 'ws');
}
