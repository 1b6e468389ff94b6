import type { Clock } from '@outdial/kernel';
import type { ProviderFailure } from '../mind.ts';
import type { LanguageModel } from './llm/language-model.ts';

/** Until a model must have answered its check. */
const CHECK_MS = 3_000;

/**
 * Why no model can answer; null once one can. A model that is out of reach shall cost no answered call. No more models are
 * asked once the result `isUnwanted`.
 */
export async function checkModels(
  models: readonly LanguageModel[],
  clock: Clock,
  isUnwanted: () => boolean,
): Promise<ProviderFailure | null> {
  let failure: ProviderFailure | null = null;
  for (const { check } of models) {
    const late = new AbortController();
    const timer = clock.after(CHECK_MS, () => late.abort(new Error('no answer in time')));
    failure = check === undefined ? null : await check(late.signal);
    timer.cancel();
    if (failure === null || isUnwanted()) break;
  }
  return failure;
}
