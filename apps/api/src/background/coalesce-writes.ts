import type { Redis } from 'ioredis';

/**
 * Lets the commands of one turn of the event loop leave in one write. Requests that were counted or accepted together
 * send theirs in the same turn, and a system call for each would cost more than the command itself.
 * @returns what is to be called before a command is sent.
 */
export function createWriteCoalescing(redis: Redis): () => void {
  let isCorked = false;
  return () => {
    const { stream } = redis;
    if (isCorked || redis.status !== 'ready') return;
    isCorked = true;
    stream.cork();
    setImmediate(() => {
      isCorked = false;
      stream.uncork();
    });
  };
}
