import { parseSync, Visitor } from 'oxc-parser';

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** A source file and everything that it imports or re-exports, types and dynamic imports included. */
export interface SourceFile {
  /** From the folder of the repository, with slashes. */
  readonly path: string;
  readonly imports: readonly Import[];
}

/** @throws if `source` is not valid TypeScript. */
export function parseSourceFile(path: string, source: string): SourceFile {
  const { module, program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (specifier: string, start: number) =>
    imports.push({ specifier, line: source.slice(0, start).split('\n').length });
  for (const { moduleRequest } of module.staticImports) add(moduleRequest.value, moduleRequest.start);
  for (const { entries } of module.staticExports) {
    // The entries of one statement name the same module.
    const request = entries.find(({ moduleRequest }) => moduleRequest !== null)?.moduleRequest;
    if (request) add(request.value, request.start);
  }
  new Visitor({
    ImportExpression({ source: { type, start }, source: node }) {
      if (type === 'Literal' && 'value' in node && typeof node.value === 'string') add(node.value, start);
    },
    TSImportType: ({ source: { value, start } }) => void add(value, start),
  }).visit(program);
  return { path, imports };
}
