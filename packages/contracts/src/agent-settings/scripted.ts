import { z } from 'zod';
import { phoneKey, scriptedOptOut } from './opt-out.ts';
import type { TemplateText } from './template-text.ts';

export const VOICES = ['slt', 'rms', 'awb', 'kal'] as const;
export type Voice = (typeof VOICES)[number];

/** What one of the built-in voices says at once. */
const MAX_SPOKEN_LENGTH = 1_000;

/** The settings of an agent that reads its lines. */
export function scriptedSchema(spokenText: (maxLength: number) => TemplateText, name: z.ZodString) {
  const spoken = spokenText(MAX_SPOKEN_LENGTH);
  return z.strictObject({
    driver: z.literal('scripted').default('scripted'),
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
    menu: z.record(phoneKey, spoken).optional(),
    opt_out: scriptedOptOut(spoken).optional(),
    closing: spoken.default('Goodbye.'),
    voicemail_message: spoken.optional(),
    screening_reply: spoken.optional(),
    barge_in: z.boolean().default(true),
  });
}

export type ScriptedSettings = z.output<ReturnType<typeof scriptedSchema>>;

/** For settings that are saved now. A key with two meanings would opt out a callee who wanted the other. */
export function checkOptOutKey({ menu = {}, opt_out: optOut }: ScriptedSettings, context: z.RefinementCtx): void {
  if (optOut === undefined || !Object.hasOwn(menu, optOut.key)) return;
  context.addIssue({ code: 'custom', path: ['opt_out', 'key'], message: 'is a key of menu: choose another key' });
}

/** A text of settings, with the path that names it in an error. */
export interface SettingsText {
  readonly path: string;
  readonly text: string;
}

/** Every text that a scripted agent may speak. */
export function spokenTexts(settings: ScriptedSettings): readonly SettingsText[] {
  const texts = [
    { path: 'first_message', text: settings.first_message },
    ...settings.lines.map((text, index) => ({ path: `lines.${index}`, text })),
    { path: 'no_input.prompt', text: settings.no_input.prompt },
    ...Object.entries(settings.menu ?? {}).map(([key, text]) => ({ path: `menu.${key}`, text })),
    { path: 'closing', text: settings.closing },
  ];
  if (settings.opt_out !== undefined) texts.push({ path: 'opt_out.confirmation', text: settings.opt_out.confirmation });
  if (settings.voicemail_message !== undefined)
    texts.push({ path: 'voicemail_message', text: settings.voicemail_message });
  if (settings.screening_reply !== undefined) texts.push({ path: 'screening_reply', text: settings.screening_reply });
  return texts;
}
