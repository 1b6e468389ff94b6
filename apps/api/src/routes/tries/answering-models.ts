import { modelNeeds, type Component, type ConductedSettings, type ModelNeed, type TryMedium } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';

const ANSWERING: ReadonlySet<Component> = new Set(['realtime', 'llm']);

/** The model that answers in text, and what it delegates to, the first choice alone. Ears and voice are not used. */
export const answeringModels = (settings: ConductedSettings): readonly ModelNeed[] =>
  modelNeeds(settings).filter(({ component, isFallback }) => ANSWERING.has(component) && !isFallback);

/** The models of a try. By microphone it hears and speaks, like a call; it shows how the first choices do. */
export function modelsOfTry(settings: ConductedSettings, medium: TryMedium): readonly ModelNeed[] {
  switch (medium) {
    case 'text':
      return answeringModels(settings);
    case 'microphone':
      return modelNeeds(settings).filter(({ isFallback }) => !isFallback);
    default:
      return unreachable(medium);
  }
}
