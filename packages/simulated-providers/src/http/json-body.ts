import type { z } from 'zod';

/** A body that the schema accepts, or what is wrong with it: a path of dots, and a sentence. */
export function readBody<Output>(
  body: string,
  schema: z.ZodType<Output>,
):
  | { readonly ok: true; readonly value: Output }
  | { readonly ok: false; readonly path: string; readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return { ok: false, path: '', problem: 'The body is not JSON.' };
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, path: issue?.path.join('.') ?? '', problem: issue?.message ?? '' };
}
