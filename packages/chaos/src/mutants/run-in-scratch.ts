import { spawn } from 'node:child_process';
import { z } from 'zod';
import type { Servers } from '../model/stores/open-stores.ts';
import type { ProfileName } from '../model/profiles.ts';

/** The schedules to run, and the servers to run them on. */
export interface Task {
  readonly servers: Servers;
  /** Separates the Redis databases of concurrent tasks. */
  readonly pair: number;
  readonly profile: ProfileName;
  readonly from: number;
  readonly seeds: number;
}

const brokenSchema = z.object({
  seed: z.number(),
  violations: z.array(z.object({ promise: z.string(), detail: z.string() })),
});

/** The first schedule that broke a promise, and how. */
export type Broken = z.output<typeof brokenSchema>;

/** Runs the model from another copy of the sources. Null if no schedule broke a promise. */
export async function runInScratch(dir: string, task: Task): Promise<Broken | null> {
  const program = 'packages/chaos/src/mutants/first-broken.ts';
  const child = spawn(
    process.execPath,
    ['--conditions=@outdial/source', '--import=tsx', program, JSON.stringify(task)],
    { cwd: dir, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the model could not be run in ${dir}: exit code ${code}`);
  return brokenSchema.nullable().parse(JSON.parse(output));
}
