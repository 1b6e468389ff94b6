import type { UsageEntry } from '../../mind.ts';

export function charactersOf(payer: Pick<UsageEntry, 'provider' | 'model'>, quantity: number): readonly UsageEntry[] {
  return quantity === 0 ? [] : [{ component: 'tts', ...payer, unit: 'character', quantity }];
}
