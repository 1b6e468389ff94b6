import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { showStep, stepLine } from '../terminal/step.ts';
import { ROOT_DIR } from './programs.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';

/** Null when the dashboard is built, otherwise the reason why it is not. */
export type DashboardBuild = Promise<string | null>;

/** Starts to build the dashboard if it has changed. Leaves a user-supplied folder unchanged. */
export function beginDashboard(input: StartInput): DashboardBuild {
  if (input.env['OUTDIAL_DASHBOARD_DIR'] !== undefined) return Promise.resolve(null);
  return build(input, 'apps/dashboard/build.mjs');
}

/** Reports where the dashboard is. The product also runs without it: programs place calls. */
export async function dashboardStep(input: StartInput, dashboard: DashboardBuild, origin: string): Promise<void> {
  const { terminal } = input;
  const work = async () => {
    const failure = await dashboard;
    if (failure !== null) throw new NotBuilt(failure);
    return { result: undefined, detail: `${origin}/` };
  };
  try {
    await showStep(input, 'Dashboard', work, 'is being built');
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error;
    input.stop.requested.throwIfAborted();
    terminal.print(terminal.paint.quiet(error.message.trimEnd()));
    const advice = 'could not be built: see above, then run `npm run build -w @outdial/dashboard`';
    terminal.print(stepLine(terminal.paint.bad('✗'), 'Dashboard', advice));
  }
}

class NotBuilt extends Error {}

/**
 * Builds the documentation if it has changed, at the lowest priority: calls must sound as they should. Until it is
 * done, /docs says that it is being built. A failed build stops nothing; /docs says what to run.
 */
export function buildDocs(input: StartInput): void {
  if (input.env['OUTDIAL_DOCS_DIR'] === undefined) void build(input, 'docs/build.mjs', constants.priority.PRIORITY_LOW);
}

/** Null when the script succeeded, otherwise its error output. Never rejects. The script ends with the product. */
function build({ env, stop }: StartInput, script: string, priority?: number): Promise<string | null> {
  const child = spawn(process.execPath, [join(ROOT_DIR, script)], {
    cwd: ROOT_DIR,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  } catch {
    // It has already ended.
  }
  void aborted(stop.requested).then(() => child.kill());
  const said = text(child.stderr);
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : said));
  });
}
