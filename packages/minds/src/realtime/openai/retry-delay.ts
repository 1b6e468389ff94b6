/** The seconds after which OpenAI wants to be asked again, as `Retry-After` would have them; null: its message names none. */
export function retryDelayOf(message: string | null | undefined): string | null {
  const [, amount, unit] = /\btry again in (\d{1,6}(?:\.\d{1,6})?) ?(ms|s)\b/i.exec(message ?? '') ?? [];
  if (amount === undefined) return null;
  return unit?.toLowerCase() === 'ms' ? String(Number(amount) / 1_000) : amount;
}
