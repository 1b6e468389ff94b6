import { readFileSync } from 'node:fs';
import { lineFinder } from './line-finder.ts';
import { globSync } from 'tinyglobby';
import { parseSync, Visitor, type Node } from 'oxc-parser';
import { levelsOf } from './log-calls.ts';

export type TextKind = 'log' | 'http' | 'cli' | 'dashboard' | 'description' | 'error';

/** A text that people read, with its place in the source. */
export interface SourceText {
  readonly file: string;
  readonly line: number;
  readonly kind: TextKind;
  /** Placeholders of a template stand as `…`. */
  readonly text: string;
}

const FILES = ['apps/*/src/**/*.{ts,tsx}', 'packages/*/src/**/*.ts'];
const NO_TEXTS = [
  '**/*.test.{ts,tsx}',
  '**/*.d.ts',
  '**/generated/**',
  '**/testing/**',
  '**/node_modules/**',
  'packages/{testkit,e2e,chaos}/**',
];
/** Commands and tools that engineers run. */
const TOOLS = ['apps/cli/bootstrap/*.mjs', 'bench/src/**/*.ts', 'packages/{testkit,e2e,chaos}/src/**/*.ts'];
/** The telephones have settings files of other programs. */
const NO_TOOLS = ['**/*.test.ts', '**/*.d.ts', '**/node_modules/**', 'packages/testkit/src/telephones/**'];
/** Attributes of an element that people see or a screen reader speaks. */
const SHOWN_ATTRIBUTES =
  /^(?:aria-(?:label|description|valuetext|roledescription)|alt|title|placeholder|label|description|error|tooltip|heading|message|hint)$/;
const CODE_ATTRIBUTES = new Set(['className', 'd', 'viewBox', 'points', 'transform']);

/** Every text that the product prints, returns or shows, by file and line. `root` is the folder of the repository. */
export function sourceTexts(root: string): readonly SourceText[] {
  return textsIn(root, FILES, NO_TEXTS);
}

/** Every text of the commands that engineers run. */
export function toolTexts(root: string): readonly SourceText[] {
  return textsIn(root, TOOLS, NO_TOOLS);
}

function textsIn(root: string, patterns: readonly string[], ignore: readonly string[]): readonly SourceText[] {
  return globSync(patterns, { cwd: root, ignore: [...ignore] })
    .toSorted()
    .flatMap((file) => textsOf(file, readFileSync(`${root}/${file}`, 'utf8')));
}

/** The texts of one file. @throws if it is not valid TypeScript. */
export function textsOf(file: string, source: string): readonly SourceText[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const lineAt = lineFinder(source);
  const texts: SourceText[] = [];
  const logged = new Set<Node>();
  const kind = kindOfFile(file);
  const add = (node: Node, text: string, of: Partial<SourceText> = {}) => {
    if (isProse(text)) texts.push({ file, line: lineAt(node.start), kind, text, ...of });
  };
  /** A text that is shown for certain, even one of a single word. */
  const addShown = (node: Node, text: string) => {
    if (/[A-Za-z]{2}/.test(text)) texts.push({ file, line: lineAt(node.start), kind, text });
  };
  const ignored = new Set<Node>();
  const visitor = new Visitor({
    CallExpression(call) {
      if (levelsOf(call) === undefined) return;
      const message = call.arguments.map((node) => messagesOf(node)).find((found) => found.length > 0) ?? [];
      for (const node of message) {
        logged.add(node);
        add(node, textOf(node), { kind: 'log' });
      }
    },
    ImportDeclaration: (node) => void ignored.add(node.source),
    TSLiteralType: (node) => void ignored.add(node.literal),
    TaggedTemplateExpression: (node) => void ignored.add(node.quasi),
    Property(node) {
      if (node.value.type !== 'Literal' && node.value.type !== 'TemplateLiteral') return;
      const name = node.key.type === 'Identifier' ? node.key.name : '';
      if (ignored.has(node.value) || logged.has(node.value)) return;
      if (CODE_ATTRIBUTES.has(name)) ignored.add(node.value);
      const own = kindOfProperty(name);
      if (own === undefined) return;
      logged.add(node.value);
      add(node.value, textOf(node.value), { kind: own });
    },
    JSXText: (node) => addShown(node, node.value),
    JSXAttribute(node) {
      const { value } = node;
      const name = node.name.type === 'JSXIdentifier' ? node.name.name : '';
      if (value?.type !== 'Literal') return;
      if (CODE_ATTRIBUTES.has(name)) ignored.add(value);
      if (!SHOWN_ATTRIBUTES.test(name)) return;
      logged.add(value);
      addShown(value, textOf(value));
    },
    Literal(node) {
      if (typeof node.value === 'string' && !ignored.has(node) && !logged.has(node)) add(node, node.value);
    },
    TemplateLiteral(node) {
      if (!ignored.has(node) && !logged.has(node)) add(node, textOf(node));
    },
  });
  visitor.visit(program);
  return texts;
}

/** The literals that an argument may become. */
function messagesOf(node: Node): readonly Node[] {
  if (node.type === 'ConditionalExpression') return [...messagesOf(node.consequent), ...messagesOf(node.alternate)];
  if (node.type === 'TemplateLiteral') return [node];
  return node.type === 'Literal' && typeof node.value === 'string' ? [node] : [];
}

function textOf(node: Node): string {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return '';
  return node.quasis.map(({ value }) => value.cooked ?? '').join('…');
}

function kindOfFile(file: string): TextKind {
  if (file.startsWith('apps/dashboard/')) return 'dashboard';
  if (file.startsWith('apps/cli/')) return 'cli';
  if (file.startsWith('apps/api/')) return 'http';
  return 'error';
}

function kindOfProperty(name: string): TextKind | undefined {
  if (name === 'publicMessage') return 'http';
  return name === 'description' || name === 'help' ? 'description' : undefined;
}

const NO_PROSE =
  /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|ALTER|CREATE|redis\.call)\b|\blocal \w+ = |\bvar\(--|^https?:\/\/\S+$|^[a-z]+-(?:src|uri|action|ancestors) '/;

/**
 * Two words beside each other, the first with a capital letter, or three words, of which two stand beside each other in
 * lower case. Neither SQL nor CSS nor a policy for browsers.
 */
function isProse(text: string): boolean {
  if (NO_PROSE.test(text)) return false;
  if (/^[A-Z][a-z’']* [a-z’']{2,}/.test(text)) return true;
  return /[a-z’'] [a-z]/.test(text) && (text.match(/[A-Za-z’']+/g) ?? []).length >= 3;
}
