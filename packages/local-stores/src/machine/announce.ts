/** Tells the person at the terminal what is going on, one line at a time. */
export type Announce = (text: string) => void;

const SLOW_AFTER_MS = 1_000;

/** Announces `text` only if `work` is still going after a second: short waits stay silent. */
export async function announceIfSlow<T>(announce: Announce, text: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => announce(text), SLOW_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
