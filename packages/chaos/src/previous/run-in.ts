import { execFile } from 'node:child_process';

/** An installation is the longest. */
const PATIENCE_MS = 600_000;
const SHOWN_LENGTH = 2_000;

/**
 * Runs a program in a folder, without the settings of this process.
 *
 * @returns what it printed
 * @throws with the end of what it printed
 */
export function runIn(
  folder: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: { PATH, HOME, ...env }, timeout: PATIENCE_MS, maxBuffer: 64 * 1024 ** 2 };
    execFile(program, [...args], options, (error, output, complaint) => {
      if (error === null) return resolve(output);
      const reason = `${output}\n${complaint}`.trim().slice(-SHOWN_LENGTH) || error.message;
      reject(new Error(`"${[program, ...args].join(' ')}" failed in ${folder}: ${reason}`));
    });
  });
}
