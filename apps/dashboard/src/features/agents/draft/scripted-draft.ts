import {
  OPT_OUT_CONFIRMATION,
  requiredVariables,
  scriptedSettingsSchema,
  type ScriptedSettings,
} from '@outdial/contracts';
import { z } from 'zod';
import { wordsOf, type FieldErrors } from '../../../shared/forms/field-errors.ts';
import { isBlank, lineSchema, newLine, numberOf, numeric, PHONE_KEYS } from './draft-parts.ts';

const menuEntrySchema = lineSchema.extend({ key: z.string() });
type DraftMenuEntry = Readonly<z.output<typeof menuEntrySchema>>;

/** Settings as the form holds them: complete, lists with ids, seconds instead of milliseconds. */
export const scriptedDraftSchema = z.object({
  name: z.string(),
  voice: scriptedSettingsSchema.shape.voice,
  first_message: z.string(),
  lines: z.array(lineSchema),
  no_input: z.object({ prompt: z.string(), after_seconds: numeric, times: numeric }),
  menu: z.array(menuEntrySchema),
  /** Without a key, a callee cannot opt out. */
  opt_out: z.object({ key: z.string(), confirmation: z.string() }),
  closing: z.string(),
  /** Empty: the agent hangs up without a message. */
  voicemail_message: z.string(),
  screening_reply: z.string(),
  barge_in: z.boolean(),
});
export type ScriptedDraft = Readonly<z.output<typeof scriptedDraftSchema>>;

/** Takes the first free key. */
export function newMenuEntry(menu: readonly DraftMenuEntry[]): DraftMenuEntry {
  const taken = new Set(menu.map(({ key }) => key));
  return { ...newLine(), key: PHONE_KEYS.find((key) => !taken.has(key)) ?? '' };
}

export function emptyScriptedDraft(): ScriptedDraft {
  return scriptedDraftOf(scriptedSettingsSchema.parse({ name: 'New agent', first_message: 'Hello.' }), {
    name: '',
    first_message: '',
  });
}

/** Converts settings for the form. */
export function scriptedDraftOf(settings: ScriptedSettings, changes: Partial<ScriptedDraft> = {}): ScriptedDraft {
  return {
    name: settings.name,
    voice: settings.voice,
    first_message: settings.first_message,
    lines: settings.lines.map(newLine),
    no_input: {
      prompt: settings.no_input.prompt,
      after_seconds: settings.no_input.after_ms / 1_000,
      times: settings.no_input.times,
    },
    menu: Object.entries(settings.menu ?? {}).map(([key, text]) => ({ ...newLine(text), key })),
    opt_out: settings.opt_out ?? { key: '', confirmation: OPT_OUT_CONFIRMATION },
    closing: settings.closing,
    voicemail_message: settings.voicemail_message ?? '',
    screening_reply: settings.screening_reply ?? '',
    barge_in: settings.barge_in,
    ...changes,
  };
}

/** The inverse, without validation: `scriptedErrors` says whether the service will accept the result. */
export function scriptedSettingsOf(draft: ScriptedDraft): ScriptedSettings {
  const { no_input: noInput, menu, opt_out: optOut } = draft;
  return {
    driver: 'scripted',
    name: draft.name,
    voice: draft.voice,
    first_message: draft.first_message,
    lines: draft.lines.map(({ text }) => text),
    no_input: {
      prompt: noInput.prompt,
      after_ms: Math.round(numberOf(noInput.after_seconds) * 1_000),
      times: numberOf(noInput.times),
    },
    ...(menu.length === 0 ? {} : { menu: Object.fromEntries(menu.map(({ key, text }) => [key, text])) }),
    ...(optOut.key === '' ? {} : { opt_out: optOut }),
    closing: draft.closing,
    ...(isBlank(draft.voicemail_message) ? {} : { voicemail_message: draft.voicemail_message }),
    ...(isBlank(draft.screening_reply) ? {} : { screening_reply: draft.screening_reply }),
    barge_in: draft.barge_in,
  };
}

/** The draft's errors by form path. */
export function scriptedErrors(draft: ScriptedDraft): FieldErrors {
  const errors: FieldErrors = { ...repeatedKeys(draft) };
  const parsed = scriptedSettingsSchema.safeParse(scriptedSettingsOf(draft));
  for (const issue of parsed.error?.issues ?? []) errors[scriptedPath(draft, issue.path.join('.'))] ??= wordsOf(issue);
  return errors;
}

/** Converts a path of the settings, as the contract and the service report it, to the form's path. */
export function scriptedPath(draft: ScriptedDraft, path: string): string {
  const inSettings = path.replace(/^settings\./, '');
  const line = /^lines\.(\d+)$/.exec(inSettings);
  if (line) return `lines.${line[1]}.text`;
  const entry = /^menu\.(.)$/.exec(inSettings);
  if (entry) return `menu.${draft.menu.findIndex(({ key }) => key === entry[1])}.text`;
  return inSettings === 'no_input.after_ms' ? 'no_input.after_seconds' : inSettings;
}

function repeatedKeys({ menu }: ScriptedDraft): FieldErrors {
  return Object.fromEntries(
    menu.flatMap(({ key }, at) =>
      menu.findIndex((other) => other.key === key) < at ? [[`menu.${at}.key`, 'This key is already used']] : [],
    ),
  );
}

/** The variables that every call with this agent must provide, as the draft stands. */
export function scriptedVariables(draft: ScriptedDraft): readonly string[] {
  return requiredVariables(scriptedSettingsOf(draft));
}
