import { z } from 'zod';
import { nameText } from './name.ts';
import { isSpeakable } from './speakable-text.ts';
import { storableText } from './text.ts';

export const VOICES = ['slt', 'rms', 'awb', 'kal'] as const;
export type Voice = (typeof VOICES)[number];

const PLACEHOLDER = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g;

/** Lenient: what was saved before a rule existed keeps working. */
const savedText = storableText.trim().min(1, 'must not be empty').max(1_000);

/** A text that a call can speak. Without these rules it would be saved, and every call would fail on it. */
const newText = savedText.superRefine((text, context) => {
  const withoutPlaceholders = text.replace(PLACEHOLDER, '');
  if (/\{\{|\}\}/.test(withoutPlaceholders)) {
    context.addIssue('has an incomplete placeholder: write {{name}}, with a name of letters, digits and underscores');
  } else if (text !== '' && withoutPlaceholders === text && !isSpeakable(text)) {
    context.addIssue('has no text that a voice can speak: use Latin letters and digits');
  }
});

function settingsSchema(spoken: typeof savedText, name: z.ZodString) {
  return z.strictObject({
    name,
    voice: z.enum(VOICES).default('slt'),
    first_message: spoken,
    lines: z.array(spoken).max(50).default([]),
    no_input: z
      .strictObject({
        prompt: spoken,
        after_ms: z.int().min(1_000).max(60_000),
        times: z.int().min(0).max(5),
      })
      .default({ prompt: 'Are you there?', after_ms: 4_000, times: 2 }),
    menu: z.record(z.string().regex(/^[0-9*#]$/, 'must be one phone key: 0-9, * or #'), spoken).optional(),
    closing: spoken.default('Goodbye.'),
    voicemail_message: spoken.optional(),
    screening_reply: spoken.optional(),
    barge_in: z.boolean().default(true),
  });
}

/** The scripted agent's settings, validated when they are saved. `{{name}}` stands for the call's variable `name`. */
export const agentSettingsSchema = settingsSchema(newText, nameText(100));
export type AgentSettings = z.output<typeof agentSettingsSchema>;

/** For an agent that is already stored: a name or text that was valid when it was saved must not fail its calls. */
export const savedAgentSettingsSchema = settingsSchema(savedText, z.string());

/** Every spoken text of the settings, with the path that names it in an error. */
export function spokenTexts(settings: AgentSettings): readonly { readonly path: string; readonly text: string }[] {
  const texts = [
    { path: 'first_message', text: settings.first_message },
    ...settings.lines.map((text, index) => ({ path: `lines.${index}`, text })),
    { path: 'no_input.prompt', text: settings.no_input.prompt },
    ...Object.entries(settings.menu ?? {}).map(([key, text]) => ({ path: `menu.${key}`, text })),
    { path: 'closing', text: settings.closing },
  ];
  if (settings.voicemail_message !== undefined)
    texts.push({ path: 'voicemail_message', text: settings.voicemail_message });
  if (settings.screening_reply !== undefined) texts.push({ path: 'screening_reply', text: settings.screening_reply });
  return texts;
}

/** The names of the variables that a call with these settings must provide. */
export function requiredVariables(settings: AgentSettings): readonly string[] {
  const names = new Set<string>();
  for (const { text } of spokenTexts(settings)) {
    for (const match of text.matchAll(PLACEHOLDER)) names.add(match[1] ?? '');
  }
  return [...names];
}

/** Fills the placeholders. The placeholder of a missing variable stays visible. */
export function fillTemplate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? placeholder) : placeholder,
  );
}
