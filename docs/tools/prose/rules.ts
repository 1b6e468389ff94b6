import type { TextlintRuleModule } from '@textlint/types';
import type { BannedPhrase } from './banned-words.ts';
import type { Misspelling } from './spelling.ts';

const MAX_WORDS = 45;
/** The reader has to count the negations of such a sentence. */
export const DOUBLE_NEGATION =
  /\b(?:nothing|none|nobody|never|no \w+)\b(?:(?!\b(?:if|until|unless|and|but|or|because|says|about)\b)[^.;:,]){0,40}?\b(?:may|can|must|does|do|is|are|was|were|will|has|have|had)(?:\s+not|n['’]t)\b|\b(?:not|never)\s+(?:without|un(?:like|usual|common)\w*)/gi;

/** The words that docs/style.md replaces. */
export function bannedWordsRule(phrases: readonly BannedPhrase[]): TextlintRuleModule {
  return ({ Syntax, RuleError, getSource, report, locator }) => ({
    [Syntax.Str](node) {
      const text = getSource(node);
      for (const { phrase, instead, pattern, allowedIn } of phrases) {
        const allowed = allowedIn.flatMap((longer) => [...text.matchAll(longer)]);
        for (const match of text.matchAll(pattern)) {
          const isAllowed = allowed.some(
            (longer) => longer.index <= match.index && match.index < longer.index + longer[0].length,
          );
          if (isAllowed) continue;
          report(node, new RuleError(`"${phrase}": write ${instead}`, { padding: locator.at(match.index) }));
        }
      }
    },
  });
}

export function spellingRule(check: (text: string) => readonly Misspelling[]): TextlintRuleModule {
  return ({ Syntax, RuleError, getSource, report, locator }) => ({
    [Syntax.Str](node) {
      for (const { word, index } of check(getSource(node))) {
        report(node, new RuleError(`"${word}" is in no dictionary`, { padding: locator.at(index) }));
      }
    },
  });
}

export const doubleNegationRule: TextlintRuleModule = ({ Syntax, RuleError, getSource, report, locator }) => ({
  [Syntax.Str](node) {
    for (const match of getSource(node).matchAll(DOUBLE_NEGATION)) {
      report(node, new RuleError(`double negation: "${match[0]}"`, { padding: locator.at(match.index) }));
    }
  },
});

export const sentenceLengthRule: TextlintRuleModule = ({ Syntax, RuleError, getSource, report }) => ({
  [Syntax.Paragraph](node) {
    for (const sentence of getSource(node).split(/(?<=[.!?:;])\s+|\s[|—]\s/)) {
      const words = sentence.split(/\s+/).length;
      if (words > MAX_WORDS) {
        report(node, new RuleError(`a sentence of ${words} words: "${sentence.slice(0, 40)}…"`));
      }
    }
  },
});
