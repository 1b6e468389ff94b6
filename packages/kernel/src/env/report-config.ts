import { EnvError } from './parse-env.ts';

/** For a program that only checks another program's settings: prints the sentences to standard error and exits with 1. */
export async function reportConfig(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
