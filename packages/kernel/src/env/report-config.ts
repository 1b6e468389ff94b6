import { EnvError } from './parse-env.ts';

/** For a program that only checks the settings of another: the sentences go to standard error, the exit code is 1. */
export async function reportConfig(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof EnvError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
