import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
export const ROLLING_FROM_PATH = join(ROOT, 'deploy', 'rolling-from');

/** The commit whose processes must work beside today's: the last release, or what stands for it. */
export function rollingFrom(): string {
  const commit = readFileSync(ROLLING_FROM_PATH, 'utf8').trim();
  if (!/^[0-9a-f]{40}$/.test(commit)) {
    throw new Error(`deploy/rolling-from holds "${commit}": write the full hash of a commit into it.`);
  }
  return commit;
}
