import { z } from 'zod';

const errorSchema = z.object({ error: z.object({ details: z.array(z.unknown()) }) });
/** `RetryInfo` of google/rpc/error_details.proto. A duration in JSON is seconds with at most nine decimals. */
const retryInfo = z.object({ retryDelay: z.string().regex(/^\d{1,6}(?:\.\d{1,9})?s$/) });

/** The seconds that Google asks to wait, as `Retry-After` would have them; null: it asks for none. */
export function retryDelayOf(body: string): string | null {
  const { error } = errorSchema.safeParse(jsonOf(body)).data ?? {};
  for (const detail of error?.details ?? []) {
    const pause = retryInfo.safeParse(detail).data;
    if (pause !== undefined) return pause.retryDelay.slice(0, -1);
  }
  return null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
