import { modelNeeds, type Component, type ConductedSettings, type ModelNeed } from '@outdial/contracts';

const ANSWERING: ReadonlySet<Component> = new Set(['realtime', 'llm']);

/** The model that answers in text, and what it delegates to, the first choice alone. Ears and voice are not used. */
export const answeringModels = (settings: ConductedSettings): readonly ModelNeed[] =>
  modelNeeds(settings).filter(({ component, isFallback }) => ANSWERING.has(component) && !isFallback);
