import { readFileSync } from 'node:fs';

const INCLUDE = /^--- @include "([a-z-]+)"$/;
const LUA_FOLDER = new URL('../lua/', import.meta.url);

/** Reads one file of `lua/`, by its path below that folder. */
export type ReadLua = (path: string) => string;

const readLuaFile: ReadLua = (path) => readFileSync(new URL(path, LUA_FOLDER), 'utf8');

/**
 * A script with its includes. A line `--- @include "name"` stands for `includes/name.lua`, expanded once per script: a
 * second copy would shadow the first one's locals.
 *
 * @throws if a file is missing.
 */
export function loadLua(path: string, read: ReadLua = readLuaFile): string {
  const included = new Set<string>();
  const expand = (text: string): string =>
    text
      .split('\n')
      .map((line) => {
        const name = INCLUDE.exec(line)?.[1];
        if (name === undefined) return line;
        if (included.has(name)) return '';
        // Marked before its expansion, so that two files that include each other terminate.
        included.add(name);
        return expand(read(`includes/${name}.lua`));
      })
      .join('\n');
  return expand(read(path));
}
