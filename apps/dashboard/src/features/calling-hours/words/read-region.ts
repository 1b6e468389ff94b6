import { isPolicyRegion } from '@outdial/contracts';
import { regionCode } from '../draft/policy-draft.ts';
import { regionChoices } from './regions.ts';

/**
 * The ISO 3166 code of what a user typed or chose: `Florida`, `Florida (US-FL)`, `us-fl`. Null: none, or two
 * as of `Georgia`.
 */
export function readRegion(text: string): string | null {
  const wanted = text.trim().toLowerCase();
  const choices = regionChoices().flatMap(({ items }) => items);
  const [named, other] = choices.filter(({ label, value }) =>
    [label, label.replace(` (${value})`, '')].some((name) => name.toLowerCase() === wanted),
  );
  if (named !== undefined) return other === undefined ? named.value : null;
  const code = regionCode(text);
  return isPolicyRegion(code) ? code : null;
}
