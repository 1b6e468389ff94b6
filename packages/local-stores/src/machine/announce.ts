/** Shows the user one line of progress. */
export type Announce = (text: string) => void;

const SLOW_AFTER_MS = 1_000;

/** Announces `text` if `work` still runs after a second. */
export async function announceIfSlow<T>(announce: Announce, text: string, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => announce(text), SLOW_AFTER_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
