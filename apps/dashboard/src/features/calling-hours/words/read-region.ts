import { regionCode } from '../draft/policy-draft.ts';
import { regionChoices } from './regions.ts';

const CODE = /^[A-Z]{2}(?:-[A-Z0-9]{1,3})?$/;

/** The ISO 3166 code of what a user typed or chose: `Florida`, `Florida (US-FL)`, `us-fl`. Null: none. */
export function readRegion(text: string): string | null {
  const wanted = text.trim().toLowerCase();
  const choices = regionChoices().flatMap(({ items }) => items);
  const named = choices.find(({ label, value }) =>
    [label, label.replace(` (${value})`, '')].some((name) => name.toLowerCase() === wanted),
  );
  if (named !== undefined) return named.value;
  const code = regionCode(text);
  return CODE.test(code) ? code : null;
}
