import { spawn } from 'node:child_process';
import { z } from 'zod';
import type { Schema, Servers } from '../model/stores/open-stores.ts';
import type { ProfileName } from '../model/profiles.ts';
import type { ScratchWorkspace } from './scratch-workspace.ts';

/** The schedules to run, and the servers to run them on. */
export interface MutatedRun {
  readonly servers: Servers;
  /** Separates the Redis databases of concurrent runs. */
  readonly pair: number;
  readonly profile: ProfileName;
  readonly from: number;
  readonly seeds: number;
}

/** What `first-broken.ts` receives. */
interface Task extends MutatedRun {
  readonly schema: Schema;
}

const brokenSchema = z.object({
  seed: z.number(),
  violations: z.array(z.object({ promise: z.string(), detail: z.string() })),
});

/** The first schedule that broke a promise, and how. */
export type Broken = z.output<typeof brokenSchema>;

/** Runs the model from a scratch workspace. Null if no schedule broke a promise. */
export async function runMutated({ program, hasOwnSchema }: ScratchWorkspace, run: MutatedRun): Promise<Broken | null> {
  const task: Task = { ...run, schema: hasOwnSchema ? 'migrated' : 'copied' };
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the model could not be run from ${program}: exit code ${code}`);
  return brokenSchema.nullable().parse(JSON.parse(output));
}
