import { z } from 'zod';
import { calleeNumberSchema, type E164 } from '../e164.ts';
import type { TemplateText } from './template-text.ts';

/** The bounds of transfers. */
export const TRANSFER_LIMITS = {
  destinations: 16,
  /** Transfers of one call that are tried. */
  attempts: 3,
  /** How long the destination of a warm transfer rings, unless the tool says otherwise. */
  ringSeconds: 30,
  maxRingSeconds: 60,
  /** Characters that a model may say to the person who answers. */
  summary: 500,
  /** From a REFER to the report of its outcome. */
  withinMs: 30_000,
} as const;

/** Shown to the model, which names a destination by it. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N} _.'&/-]{0,63}$/u;
/** Without header fields and passwords: they would say more than whom to call. */
const SIP_URI =
  /^sip:[A-Za-z0-9_.!~*'()&=+$,/-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*(?::[1-9]\d{0,4})?(?:;transport=(?:udp|tcp|tls))?$/;
const MAX_URI_LENGTH = 255;

/** Whom a transfer is to reach. */
export type TransferTarget =
  | { readonly kind: 'number'; readonly number: E164 }
  | { readonly kind: 'uri'; readonly uri: string };

/** A number without its separators; another text as it is. */
function normalized(text: string): string {
  const bare = text.replaceAll(/[\s().-]/g, '');
  return /^\+\d+$/.test(bare) ? bare : text;
}

/** Undefined unless the text is a number in E.164 or a SIP URI of a user. */
export function transferTargetOf(text: string): TransferTarget | undefined {
  if (text.length <= MAX_URI_LENGTH && SIP_URI.test(text)) return { kind: 'uri', uri: text };
  const number = calleeNumberSchema.safeParse(text);
  return number.success ? { kind: 'number', number: number.data } : undefined;
}

const target = z
  .string()
  .trim()
  .overwrite(normalized)
  .refine(
    (text) => transferTargetOf(text) !== undefined,
    'must be an E.164 number such as +12025550142, with ten digits after +1, or a SIP URI such as sip:sales@pbx.example',
  );

/** The destinations of `transfer_call`, by name. */
export function transferDestinations(text: (maxLength: number) => TemplateText) {
  const destination = z.strictObject({
    name: z.string().trim().regex(NAME, "must have at most 64 characters: letters and digits, spaces and _.'&/-"),
    to_number: target,
    /** When to transfer there. */
    description: text(500),
    /** Said before, word for word. Without one, the model says what it wants. */
    message: text(300).optional(),
    /** Of a warm transfer: said to the person who answers, before what the model says of the callee. */
    introduction: text(500).optional(),
  });
  return z
    .array(destination)
    .min(1, 'must have at least one destination')
    .max(TRANSFER_LIMITS.destinations)
    .superRefine((destinations, context) => {
      const names = destinations.map(({ name }) => name.toLowerCase());
      for (const [index, name] of names.entries()) {
        if (names.indexOf(name) < index)
          context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of another destination' });
      }
    });
}
