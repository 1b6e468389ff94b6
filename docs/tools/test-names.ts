import { readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { parseSync, Visitor, type Node } from 'oxc-parser';
import { lineFinder } from './line-finder.ts';

/** The name of a test or of a group of tests, with its place in the source. */
export interface TestName {
  readonly file: string;
  readonly line: number;
  /** Placeholders of a template stand as `…`. */
  readonly text: string;
}

const FILES = ['{apps,packages}/*/{src,test,bootstrap}/**/*.{ts,tsx}', 'bench/src/**/*.ts', 'docs/tools/**/*.ts'];
const NAMING = new Set(['test', 'it', 'describe', 'suite']);

/** @param root the folder of the repository. */
export function testNames(root: string): readonly TestName[] {
  return globSync(FILES, { cwd: root, ignore: ['**/node_modules/**', '**/generated/**', '**/*.d.ts'] })
    .toSorted()
    .flatMap((file) => testNamesOf(file, readFileSync(`${root}/${file}`, 'utf8')));
}

/** The names in one file: of `test('…')`, `test.for(cases)('…')` and the like. */
export function testNamesOf(file: string, source: string): readonly TestName[] {
  if (!/\b(?:test|it|describe|suite)\b/.test(source)) return [];
  const lineAt = lineFinder(source);
  const names: TestName[] = [];
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [name] }) {
      if (name === undefined || !NAMING.has(rootOf(callee))) return;
      const text = textOf(name);
      if (/[A-Za-z]{2}/.test(text)) names.push({ file, line: lineAt(name.start), text });
    },
  });
  visitor.visit(parseSync(file, source).program);
  return names;
}

/** `test` of `test`, `test.skip`, `test.for(cases)` and `test.for(cases)('…')`. */
function rootOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return rootOf(node.object);
  return node.type === 'CallExpression' ? rootOf(node.callee) : '';
}

function textOf(node: Node): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  return node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.cooked ?? '').join('…') : '';
}
