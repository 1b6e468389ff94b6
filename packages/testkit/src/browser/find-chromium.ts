import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Chromium without the browser's own interface, which takes most of the time of opening a page. */
const HEADLESS_SHELL = 'chromium-headless-shell';
const COMMANDS = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const OF_MACOS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The program of this machine's Chromium, or of the one that TEST_BROWSER names; null without any. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  return findHeadlessShell(env) ?? [...pathsOf(COMMANDS, env), ...OF_MACOS].find(isProgram) ?? null;
}

/** The program that TEST_BROWSER names, or this machine's headless shell; null without either. */
export function findHeadlessShell(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env['TEST_BROWSER'];
  if (named !== undefined && named !== '') return named;
  return pathsOf([HEADLESS_SHELL], env).find(isProgram) ?? null;
}

function pathsOf(commands: readonly string[], env: NodeJS.ProcessEnv): readonly string[] {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return commands.flatMap((command) => folders.map((folder) => join(folder, command)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
