import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { brokenSchema, type Broken, type Task } from './task.ts';

const RUN_PROGRAMS = fileURLToPath(new URL('run-programs.mjs', import.meta.url));

const answerSchema = z.object({ broken: brokenSchema.nullable() });

/** A process that runs mutated programs, one after the other. */
export class Programs {
  #child: ChildProcess | null = null;

  /**
   * Null if no promise broke.
   *
   * @param program the URL of a bundle of `first-broken.ts`
   * @throws if the program cannot be run. The next one gets a new process.
   */
  async run(program: string, task: Task): Promise<Broken | null> {
    this.#child ??= fork(RUN_PROGRAMS, { execArgv: [] });
    const child = this.#child;
    const failed = new AbortController();
    const { signal } = failed;
    const answered = once(child, 'message', { signal });
    const ended = once(child, 'exit', { signal });
    child.send({ program, task });
    try {
      const [answer] = await Promise.race([
        answered,
        ended.then(([code]) => {
          this.#child = null;
          throw new Error(`the mutant could not be run from ${program}: exit code ${code}`);
        }),
      ]);
      return answerSchema.parse(answer).broken;
    } finally {
      answered.catch(() => {});
      ended.catch(() => {});
      failed.abort();
    }
  }

  async close(): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (child === null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}
