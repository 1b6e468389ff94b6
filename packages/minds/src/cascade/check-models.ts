import type { Clock } from '@outdial/kernel';
import type { ProviderFailure } from '../mind.ts';
import { fixedReadyLimit, type ReadyLimit } from '../ready-limit.ts';
import type { LanguageModel } from './llm/language-model.ts';

interface CheckOptions {
  readonly clock: Clock;
  readonly lastLimit: ReadyLimit;
  readonly isUnwanted: () => boolean;
}

/**
 * Why no model can answer; null once one can. A model that is out of reach shall cost no answered call. No more models are
 * asked once the result `isUnwanted`. `lastLimit` holds for the last of them, which nothing replaces.
 */
export async function checkModels(
  models: readonly LanguageModel[],
  { clock, lastLimit, isUnwanted }: CheckOptions,
): Promise<ProviderFailure | null> {
  let failure: ProviderFailure | null = null;
  for (const [index, { check }] of models.entries()) {
    const late = new AbortController();
    const limit = index === models.length - 1 ? lastLimit : fixedReadyLimit(clock);
    const timer = limit.watch(() => late.abort(new Error('no answer in time')));
    failure = check === undefined ? null : await check(late.signal);
    timer.cancel();
    if (failure === null || isUnwanted()) break;
  }
  return failure;
}
