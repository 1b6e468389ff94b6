import { readFileSync } from 'node:fs';
import { parseSync, Visitor, type Node } from 'oxc-parser';
import { globSync } from 'tinyglobby';

type Call = Extract<Node, { type: 'CallExpression' }>;

/** A call of a logger in the sources. */
export interface LogCall {
  readonly file: string;
  readonly line: number;
  readonly levels: readonly string[];
  /** The possible literals; empty if a variable holds the event. Undefined if the line has none. */
  readonly events: readonly string[] | undefined;
}

const LEVELS = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);
/** What runs in a service. The command line and the dashboard print for people instead. */
const FILES = ['apps/{api,worker,callee,models}/src/**/*.ts', 'packages/*/src/**/*.ts'];
const NOT_SERVICES = [
  '**/*.test.ts',
  '**/generated/**',
  '**/testing/**',
  '**/node_modules/**',
  'packages/{testkit,e2e,chaos}/**',
];

/** Every log call of the services. `root` is the folder of the repository. */
export function logCalls(root: string): readonly LogCall[] {
  return globSync(FILES, { cwd: root, ignore: NOT_SERVICES })
    .toSorted()
    .flatMap((file) => logCallsOf(file, readFileSync(`${root}/${file}`, 'utf8')));
}

export function logCallsOf(file: string, source: string): readonly LogCall[] {
  const found: LogCall[] = [];
  new Visitor({
    CallExpression(call) {
      const levels = levelsOf(call);
      if (levels === undefined) return;
      const line = source.slice(0, call.start).split('\n').length;
      found.push({ file, line, levels, events: eventsOf(call.arguments[0]) });
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** The levels of `logger.warn(…)`, `this.#logger.error(…)` and `logger[condition ? 'debug' : 'error'](…)`. */
export function levelsOf({ callee }: Call): readonly string[] | undefined {
  if (callee.type !== 'MemberExpression' || !/^(?:logger|log)$|Logger$/.test(nameOf(callee.object))) return undefined;
  if (callee.property.type === 'ConditionalExpression')
    return [callee.property.consequent, callee.property.alternate].flatMap((node) => literalsOf(node));
  const name = nameOf(callee.property);
  return LEVELS.has(name) ? [name] : undefined;
}

function nameOf(node: Node): string {
  if (node.type === 'MemberExpression') return nameOf(node.property);
  return node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : '';
}

function eventsOf(node: Node | undefined): readonly string[] | undefined {
  if (node?.type !== 'ObjectExpression') return undefined;
  for (const property of node.properties)
    if (property.type === 'Property' && nameOf(property.key) === 'event') return literalsOf(property.value);
  return undefined;
}

function literalsOf(node: Node): readonly string[] {
  if (node.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  return node.type === 'Literal' && typeof node.value === 'string' ? [node.value] : [];
}
