/**
 * A reading that never runs twice at once: what is asked while it runs is answered by another run after it. So an answer
 * never comes after that to a later question.
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
      // In the moment of the last look: whoever asks after it would be answered by a run that began before the question.
      running = undefined;
    }
  }

  return () => {
    isAskedAgain = true;
    running ??= run();
    return running;
  };
}
