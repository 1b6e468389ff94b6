import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { showStep, stepLine } from '../terminal/step.ts';
import { ROOT_DIR } from './service-process.ts';
import type { StartInput } from './start-input.ts';
import { aborted } from './stop-signals.ts';

/** Null when the dashboard is built, otherwise the reason why it is not. */
export type DashboardBuild = Promise<string | null>;

/**
 * Starts to build the dashboard in the background; without changes since the last start this finishes at once. Leaves
 * a user-supplied folder unchanged.
 */
export function beginDashboard({ env, stop }: Pick<StartInput, 'env' | 'stop'>): DashboardBuild {
  if (env['OUTDIAL_DASHBOARD_DIR'] !== undefined) return Promise.resolve(null);
  const child = spawn(process.execPath, [join(ROOT_DIR, 'apps/dashboard/build.mjs')], {
    cwd: ROOT_DIR,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  void aborted(stop.requested).then(() => child.kill());
  const said = text(child.stderr);
  const end = new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? null : ''));
  });
  return end.then(async (failure) => (failure === '' ? said : failure));
}

/** Reports where the dashboard is. The product also runs without it: programs place calls. */
export async function dashboardStep(input: StartInput, build: DashboardBuild, origin: string): Promise<void> {
  const { terminal, stop } = input;
  const work = async () => {
    const failure = await build;
    if (failure !== null) throw new NotBuilt(failure);
    return { result: undefined, detail: `${origin}/` };
  };
  try {
    await Promise.race([showStep(input, 'Dashboard', work, 'is being built'), aborted(stop.requested)]);
  } catch (error) {
    if (!(error instanceof NotBuilt)) throw error;
    terminal.print(terminal.paint.quiet(error.message.trimEnd()));
    const advice = 'could not be built: see above, then run `npm run build -w @outdial/dashboard`';
    terminal.print(stepLine(terminal.paint.bad('✗'), 'Dashboard', advice));
  }
}

class NotBuilt extends Error {}
