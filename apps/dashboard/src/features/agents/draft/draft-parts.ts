import { randomId } from '@mantine/hooks';
import { z } from 'zod';

/** A text with an id, so that a reordered list keeps its fields apart. */
export const lineSchema = z.object({ id: z.string(), text: z.string() });
export type DraftLine = Readonly<z.output<typeof lineSchema>>;

/** The keys of a telephone, as they are laid out. */
export const PHONE_KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'] as const;

/** For a key that need not be chosen. */
export const OPTIONAL_KEY_CHOICES = [
  { value: '', label: 'No key' },
  ...PHONE_KEYS.map((key) => ({ value: key, label: key })),
];

/** What a number field holds while the user types. */
export const numeric = z.union([z.number(), z.string()]);

export function newLine(text = ''): DraftLine {
  return { id: randomId('line'), text };
}

/** NaN for an empty field, which no schema accepts. */
export function numberOf(value: number | string): number {
  return typeof value === 'number' ? value : Number.parseFloat(value);
}

export function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** Absent where the field is empty. */
export function optional<Key extends string>(key: Key, text: string): Partial<Record<Key, string>>;
export function optional(key: string, text: string): Partial<Record<string, string>> {
  return isBlank(text) ? {} : { [key]: text };
}

/** JSON as a form shows it. Empty for an empty object. */
export function jsonText(value: object): string {
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2);
}

export type ParsedJson =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false };

const jsonObjectSchema = z.record(z.string(), z.unknown());

/** An object written as JSON. Empty text is an empty object. */
export function parseJson(text: string): ParsedJson {
  if (isBlank(text)) return { ok: true, value: {} };
  try {
    const parsed = jsonObjectSchema.safeParse(JSON.parse(text));
    return parsed.success ? { ok: true, value: parsed.data } : { ok: false };
  } catch {
    return { ok: false };
  }
}
