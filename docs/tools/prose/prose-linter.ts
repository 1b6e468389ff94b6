import { readFileSync } from 'node:fs';
import { TextlintKernel, type TextlintKernelRule } from '@textlint/kernel';
import markdown from '@textlint/textlint-plugin-markdown';
import text from '@textlint/textlint-plugin-text';
import { bannedPhrases } from './banned-words.ts';
import { bannedWordsRule, doubleNegationRule, sentenceLengthRule, spellingRule } from './rules.ts';
import { createSpelling } from './spelling.ts';

export interface ProseFault {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface ProseLinter {
  readonly lintMarkdown: (file: string, source: string) => Promise<readonly ProseFault[]>;
  /** @param line of the text in its file. */
  readonly lintText: (file: string, line: number, source: string) => Promise<readonly ProseFault[]>;
}

/** @param docsUrl the folder of style.md and glossary.md. */
export function createProseLinter(docsUrl: URL): ProseLinter {
  const read = (path: string) => readFileSync(new URL(path, docsUrl), 'utf8');
  const kernel = new TextlintKernel();
  const banned = { ruleId: 'banned-words', rule: bannedWordsRule(bannedPhrases(read('style.md'))) };
  const others: readonly TextlintKernelRule[] = [
    { ruleId: 'spelling', rule: spellingRule(createSpelling(read('glossary.md'), read('tools/prose/words.txt'))) },
    { ruleId: 'double-negation', rule: doubleNegationRule },
    { ruleId: 'sentence-length', rule: sentenceLengthRule },
  ];
  const lint = async (file: string, source: string, ext: '.md' | '.txt') => {
    // The style page quotes what it bans.
    const rules = file.endsWith('docs/style.md') ? [] : [banned, ...others];
    const { messages } = await kernel.lintText(source, {
      filePath: file,
      ext,
      rules: [...rules],
      plugins: [
        { pluginId: 'markdown', plugin: markdown.default ?? markdown },
        { pluginId: 'text', plugin: text.default ?? text },
      ],
    });
    return messages.map(({ loc, message }) => ({ file, line: loc.start.line, message }));
  };
  return {
    lintMarkdown: (file, source) => lint(file, withoutFrontMatter(source), '.md'),
    async lintText(file, line, source) {
      const faults = await lint(file, source, '.txt');
      return faults.map((fault) => ({ ...fault, line: line + fault.line - 1 }));
    },
  };
}

/** Its lines stay, so that the numbers of the following ones do. */
function withoutFrontMatter(source: string): string {
  return source.replace(/^---\n[^]*?\n---\n/, (matter) => matter.replaceAll(/[^\n]/g, ''));
}
