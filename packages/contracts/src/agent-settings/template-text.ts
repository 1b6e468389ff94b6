import { isSpeakable } from '../speakable-text.ts';
import { storableText } from '../text.ts';

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;

const INCOMPLETE = 'has an incomplete placeholder: write {{name}}, with a name of letters, digits and underscores';

/** Lenient: what was saved before a rule existed keeps working. `{{name}}` stands for the call's variable `name`. */
export const savedText = (maxLength: number) => storableText.trim().min(1, 'must not be empty').max(maxLength);

export type TemplateText = ReturnType<typeof savedText>;

/** A text for a model, in any language. */
export const newText = (maxLength: number): TemplateText =>
  savedText(maxLength).superRefine((text, context) => {
    if (hasIncompletePlaceholder(text)) context.addIssue(INCOMPLETE);
  });

/** A text for a built-in voice. Without this rule it would be saved, and every call would fail on it. */
export const newSpokenText = (maxLength: number): TemplateText =>
  savedText(maxLength).superRefine((text, context) => {
    const hasNoPlaceholder = text.replace(PLACEHOLDER, '') === text;
    if (hasIncompletePlaceholder(text)) {
      context.addIssue(INCOMPLETE);
    } else if (text !== '' && hasNoPlaceholder && !isSpeakable(text)) {
      context.addIssue('has no text that a voice can speak: use Latin letters and digits');
    }
  });

const hasIncompletePlaceholder = (text: string): boolean => /\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''));

/** The names of the placeholders of a text, as often as they occur. */
export function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1] ?? '');
}

/** Fills the placeholders. The placeholder of a missing variable stays visible. */
export function fillTemplate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? placeholder) : placeholder,
  );
}
