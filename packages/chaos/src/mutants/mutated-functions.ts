import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { migrationOf } from './migration-of.ts';
import { applyPatch, ROOT_DIR, type Patch } from './patch.ts';

/** Statements that replace functions of the database. */
export interface MutatedFunctions {
  readonly mutated: readonly string[];
  readonly original: readonly string[];
}

const FUNCTION = /^CREATE (?:OR REPLACE )?FUNCTION (\w+)[^]*?\$\$;$/gm;

/** Null when these changes of migrations concern more than the last definitions of functions. */
export async function mutatedFunctions(patches: readonly Patch[]): Promise<MutatedFunctions | null> {
  const functions = new Map<string, { readonly original: string; mutated: string }>();
  for (const patch of patches) {
    const found = functionOf(await readFile(join(ROOT_DIR, patch.file), 'utf8'), patch);
    if (found === null) return null;
    const { name, text } = found;
    const known = functions.get(name) ?? { original: text, mutated: text };
    known.mutated = applyPatch(known.mutated, patch);
    functions.set(name, known);
  }
  const all = [...functions.values()];
  return {
    mutated: all.map(({ mutated }) => replacing(mutated)),
    original: all.map(({ original }) => replacing(original)),
  };
}

/** The function that has this place, unless a later migration replaces it. */
function functionOf(script: string, { file, find }: Patch): { readonly name: string; readonly text: string } | null {
  for (const [text, name = ''] of script.matchAll(FUNCTION))
    if (text.includes(find)) return migrationOf('FUNCTION', name) === file ? { name, text } : null;
  return null;
}

function replacing(definition: string): string {
  return definition.replace(/^CREATE (?:OR REPLACE )?/, 'CREATE OR REPLACE ');
}
