import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that defines one function, procedure, view or trigger of the schema. */
export interface SqlSource {
  /** Relative to `src`. */
  readonly path: string;
  readonly kind: SqlKind;
  /** The object's name, without arguments. */
  readonly name: string;
  /** A comment, then one `CREATE OR REPLACE` statement. */
  readonly text: string;
}

export type SqlKind = (typeof KINDS)[number];

/** In the order of creation: a view may call functions, and a trigger calls one. */
const KINDS = ['function', 'procedure', 'view', 'trigger'] as const;

const SRC_DIR = fileURLToPath(new URL('../src/', import.meta.url));
const DEFINITION = /^CREATE OR REPLACE (?<kind>FUNCTION|PROCEDURE|VIEW|TRIGGER) "?(?<name>[a-z_][a-z0-9_]*)"?/;

/** Every source below `dir`, in the order of creation. @throws if a file is not what CONTRIBUTING.md asks for */
export function readSqlSources(dir = SRC_DIR): readonly SqlSource[] {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.sql'));
  const sources = paths.map((path) => parseSource(path, readFileSync(join(dir, path), 'utf8')));
  return inOrderOfUse(
    sources.toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.path < b.path ? -1 : 1)),
  );
}

/** What a source calls comes before it: Postgres checks the body of a function in SQL when it is created. */
function inOrderOfUse(sources: readonly SqlSource[]): readonly SqlSource[] {
  const ordered = new Set<SqlSource>();
  const visiting = new Set<SqlSource>();
  const visit = (source: SqlSource): void => {
    if (ordered.has(source) || visiting.has(source)) return;
    visiting.add(source);
    for (const other of sources) if (new RegExp(`\\b${other.name}\\(`).test(source.text)) visit(other);
    ordered.add(source);
  };
  for (const source of sources) visit(source);
  return [...ordered];
}

/** @throws unless the text is a comment and a definition of the object that the file is named after */
export function parseSource(path: string, text: string): SqlSource {
  const { kind: word = '', name = '' } = DEFINITION.exec(text.replace(/^(?:--.*\n)*/, ''))?.groups ?? {};
  const kind = KINDS.find((known) => known === word.toLowerCase());
  if (kind === undefined) throw new Error(`${path}: write a comment, then CREATE OR REPLACE and one definition.`);
  const wanted = `${name.replaceAll('_', '-')}.sql`;
  if (basename(path) !== wanted) throw new Error(`${path}: it defines ${name}, so name the file ${wanted}.`);
  return { path, kind, name, text };
}
