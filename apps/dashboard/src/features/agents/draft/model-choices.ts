import type { Component, ModelListBody } from '@outdial/contracts';

/**
 * The models to suggest: those that the operator offers of this provider. A pattern such as `gpt-5*` is suggested without
 * its star, for the rest to be typed.
 */
export function modelChoices(
  { models }: Pick<ModelListBody, 'models'>,
  { component, provider }: { readonly component: Component; readonly provider: string },
): readonly string[] {
  const names = models
    .filter((model) => model.component === component && model.provider === provider)
    .map(({ model }) => model.replace(/\*$/, ''));
  return [...new Set(names)].filter((name) => name !== '');
}
