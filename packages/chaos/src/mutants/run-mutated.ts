import { spawn } from 'node:child_process';
import { z } from 'zod';
import type { Schema, Servers } from '../model/stores/open-stores.ts';
import type { DrillName } from '../drills/drills.ts';
import type { ProfileName } from '../model/profiles.ts';
import type { Proof } from './mutant.ts';
import type { ScratchWorkspace } from './scratch-workspace.ts';

/** What to run, and the servers to run it on. */
export interface MutatedRun {
  readonly servers: Servers;
  /** Separates the Redis databases of concurrent runs. */
  readonly pair: number;
  /** Schedules of the model, or a drill. */
  readonly proof:
    | { readonly profile: ProfileName; readonly from: number; readonly seeds: number }
    | { readonly drill: DrillName };
}

/** @param search looks for a seed among so many, instead of the known one */
export function toRun(proof: Proof, search?: number): MutatedRun['proof'] {
  if (proof.drill !== undefined) return { drill: proof.drill };
  const { profile, seed } = proof;
  return search === undefined ? { profile, from: seed, seeds: 1 } : { profile, from: 1, seeds: search };
}

/** What `first-broken.ts` receives. */
interface Task extends MutatedRun {
  readonly schema: Schema;
}

const brokenSchema = z.object({
  /** The profile with the seed, or the drill. */
  proof: z.string(),
  violations: z.array(z.object({ promise: z.string(), detail: z.string() })).readonly(),
});

/** The first schedule that broke a promise, or the drill, and how. */
export type Broken = z.output<typeof brokenSchema>;

/** Runs the model or a drill from a scratch workspace. Null if no promise broke. */
export async function runMutated({ program, hasOwnSchema }: ScratchWorkspace, run: MutatedRun): Promise<Broken | null> {
  const task: Task = { ...run, schema: hasOwnSchema ? 'migrated' : 'copied' };
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`the mutant could not be run from ${program}: exit code ${code}`);
  return brokenSchema.nullable().parse(JSON.parse(output));
}
