import { z } from 'zod';

export type Parsed<Message> =
  | { readonly kind: 'message'; readonly message: Message }
  /** An event that the driver has no use for: providers add them at any time. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'invalid'; readonly reason: string };

const typed = z.object({ type: z.string() });

/** Parses messages that name their type. Those of other types are unknown, and only broken ones are invalid. */
export function createMessageParser<Message extends { readonly type: string }>(
  schema: z.ZodType<Message>,
  types: readonly Message['type'][],
): (value: unknown) => Parsed<Message> {
  const known: ReadonlySet<string> = new Set(types);
  return (value) => {
    const named = typed.safeParse(value);
    if (!named.success) return { kind: 'invalid', reason: 'a message had no type' };
    if (!known.has(named.data.type)) return { kind: 'unknown' };
    const parsed = schema.safeParse(value);
    if (parsed.success) return { kind: 'message', message: parsed.data };
    return { kind: 'invalid', reason: `${named.data.type}: ${issueOf(parsed.error)}` };
  };
}

/** The first problem, with the path of its field and without its value. */
export function issueOf(error: z.ZodError): string {
  const [issue] = error.issues;
  return `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim();
}
