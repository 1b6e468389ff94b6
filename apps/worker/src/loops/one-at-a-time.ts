/**
 * A read that never runs twice at once: requests during a run are answered by another run after it. So an earlier
 * answer never arrives after the answer to a later request.
 */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function run(): Promise<void> {
    try {
      do {
        isAskedAgain = false;
        await read();
      } while (isAskedAgain);
    } finally {
      // In the instant of the last check: a later request would be answered by a run that started before it.
      running = undefined;
    }
  }

  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}
