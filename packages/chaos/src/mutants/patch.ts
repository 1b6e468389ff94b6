import { fileURLToPath } from 'node:url';

/** One place of a source file that a mutant changes. */
export interface Patch {
  /** Relative to the root of the repository. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const ROOT_DIR = fileURLToPath(new URL('../../../../', import.meta.url));

/** @throws unless the text occurs exactly once: otherwise the product has changed, and the mutant must change too. */
export function applyPatch(text: string, { file, find, replace }: Patch): string {
  const places = text.split(find).length - 1;
  if (places !== 1) throw new Error(`${file} has ${places} places instead of one that read:\n${find}`);
  return text.replace(find, () => replace);
}
