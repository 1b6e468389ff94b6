import { readFileSync } from 'node:fs';
import { TextlintKernel, type TextlintKernelRule } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import text from '@textlint/textlint-plugin-text';
import { bannedPhrases } from './banned-words.ts';
import { bannedWordsRule, DOUBLE_NEGATION, doubleNegationRule, sentenceLengthRule, spellingRule } from './rules.ts';
import { createSpelling } from './spelling.ts';

export interface ProseProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface ProseLinter {
  readonly lintMarkdown: (file: string, source: string) => Promise<readonly ProseProblem[]>;
  /** @param line of the text in its file. Code in backticks and HTML tags are left out. */
  readonly lintText: (file: string, line: number, source: string) => Promise<readonly ProseProblem[]>;
  /** The banned words and double negations alone: a comment names identifiers that no dictionary has. */
  readonly lintComment: (file: string, line: number, source: string) => Promise<readonly ProseProblem[]>;
}

/** @param docsUrl the folder of style.md and glossary.md. */
export function createProseLinter(docsUrl: URL): ProseLinter {
  const read = (path: string) => readFileSync(new URL(path, docsUrl), 'utf8');
  const kernel = new TextlintKernel();
  const phrases = bannedPhrases(read('style.md'));
  const banned = { ruleId: 'banned-words', rule: bannedWordsRule(phrases) };
  // The kernel takes seconds for all comments: most have nothing that these rules look for.
  const isSuspect = (text: string) =>
    [DOUBLE_NEGATION, ...phrases.map(({ pattern }) => pattern)].some((pattern) => text.search(pattern) >= 0);
  const style: readonly TextlintKernelRule[] = [banned, { ruleId: 'double-negation', rule: doubleNegationRule }];
  const all: readonly TextlintKernelRule[] = [
    ...style,
    { ruleId: 'spelling', rule: spellingRule(createSpelling(read('glossary.md'), read('tools/prose/words.txt'))) },
    { ruleId: 'sentence-length', rule: sentenceLengthRule },
  ];
  const lint = async (file: string, source: string, ext: '.md' | '.txt', rules = all) => {
    const { messages } = await kernel.lintText(source, {
      filePath: file,
      ext,
      // The style page quotes what it bans.
      rules: file.endsWith('docs/style.md') ? [] : [...rules],
      plugins: [
        { pluginId: 'markdown', plugin: markdown.default ?? markdown },
        { pluginId: 'text', plugin: text.default ?? text },
      ],
    });
    return messages.map(({ loc, message }) => ({ file, line: loc.start.line, message }));
  };
  const lintPlain = async (file: string, line: number, source: string, rules = all) => {
    const problems = await lint(file, withoutCode(source), '.txt', rules);
    return problems.map((problem) => ({ ...problem, line: line + problem.line - 1 }));
  };
  return {
    lintMarkdown: (file, source) => lint(file, withoutFrontMatter(source), '.md'),
    lintText: (file, line, source) => lintPlain(file, line, source),
    // As Markdown, so that a phrase is found across a line break.
    async lintComment(file, line, source) {
      if (!isSuspect(source.replaceAll(/\s+/g, ' '))) return [];
      const problems = await lint(file, source.replaceAll(/^[ \t]+/gm, ''), '.md', style);
      return problems.map((problem) => ({ ...problem, line: line + problem.line - 1 }));
    },
  };
}

/** Code in backticks and HTML tags, replaced by nothing that a rule reads. */
function withoutCode(source: string): string {
  return source.replaceAll(/`[^`\n]*`|<\/?[a-z][^>\n]*>/gi, '…');
}

/** Its lines stay, so that the numbers of the following ones do. */
function withoutFrontMatter(source: string): string {
  return source.replace(/^---\n[^]*?\n---\n/, (matter) => matter.replaceAll(/[^\n]/g, ''));
}
