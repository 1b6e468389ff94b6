/**
 * A reading that never runs twice at once: what is asked while it runs is answered by another run after it. So an answer
 * never comes after that to a later question.
 */
export function oneAtATime(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function run(): Promise<void> {
    do {
      isAskedAgain = false;
      await read();
    } while (isAskedAgain);
  }

  return () => {
    isAskedAgain = true;
    running ??= run().finally(() => (running = undefined));
    return running;
  };
}
