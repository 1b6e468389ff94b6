import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { ROOT_DIR } from './service-process.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';

/**
 * Builds the documentation in the background if it has changed, at the lowest priority: the first call must sound as it
 * should. Until it is done, /docs says that it is being built. A failed build stops nothing; /docs says what to run.
 */
export function buildDocs({ env, stop }: Pick<StartInput, 'env' | 'stop'>): void {
  if (env['OUTDIAL_DOCS_DIR'] !== undefined || stop.requested.aborted) return;
  const child = spawn(process.execPath, [join(ROOT_DIR, 'docs/build.mjs')], { cwd: ROOT_DIR, env, stdio: 'ignore' });
  child.on('error', () => {});
  child.on('spawn', () => {
    // It may be over already: then it has no priority to change.
    try {
      if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    } catch {
      return;
    }
  });
  void aborted(stop.requested).then(() => child.kill());
}
