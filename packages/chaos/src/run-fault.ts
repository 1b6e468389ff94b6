import { untilAtRest, violationsAtRest } from './check/rest.ts';
import { startWatch } from './check/watch.ts';
import type { Fault, FaultOutcome, Timing } from './faults/fault.ts';
import { Clients } from './load/clients.ts';
import { acceptedIds } from './load/promises.ts';
import { createRandom } from './random.ts';
import type { Stack } from './stack/stack.ts';

/** A line of the table. */
export interface FaultReport {
  readonly fault: Fault;
  readonly injected: number;
  readonly hit: number;
  readonly accepted: number;
  readonly ended: number;
  readonly recoveryMs: number | null;
  readonly timings: readonly Timing[];
  readonly violations: readonly string[];
  readonly tookMs: number;
}

export interface RunOptions {
  readonly seed: number;
  readonly minutes: number;
  /** Default: no. */
  readonly judgesTimes?: boolean;
  readonly say: (text: string) => void;
}

/** A lease, another full lease after Postgres came back, an unknown leg's longest life, and a busy machine. */
const REST_LIMIT_MS = 300_000;

/** Injects one fault into a working stack, lets it come to rest, and checks every invariant. Never rejects. */
export async function runFault(fault: Fault, stack: Stack, options: RunOptions): Promise<FaultReport> {
  const { seed, minutes, judgesTimes = false, say } = options;
  const startedMs = performance.now();
  const clients = new Clients(stack.apis);
  const watch = startWatch(stack);
  const outcome = await attempt(() =>
    fault.run({ stack, clients, random: createRandom(seed, fault.name), minutes, judgesTimes, say }),
  );
  const restoring = await attempt(async () => {
    await stack.restore();
    const restingMs = performance.now();
    await untilAtRest(stack, REST_LIMIT_MS);
    say(`at rest after ${Math.round((performance.now() - restingMs) / 1_000)} s`);
    return violationsAtRest(stack, clients.promises);
  });
  const watched = await watch.stop();
  const { injected, hit, recoveryMs, timings = [], violations = [] }: FaultOutcome = outcome.done ?? NOTHING;
  const promised = clients.promises.all();
  const ids = new Set(promised.flatMap(acceptedIds));
  const counting = await attempt(() => endedOf(stack, [...ids]));
  return {
    fault,
    injected,
    hit,
    accepted: ids.size,
    ended: counting.done ?? 0,
    recoveryMs,
    timings,
    violations: [
      ...outcome.failed,
      ...(outcome.done && hit === 0 ? ['the fault hit no call in the targeted state'] : []),
      ...violations,
      ...watched,
      ...restoring.failed,
      ...(restoring.done ?? []),
      ...counting.failed,
    ],
    tookMs: performance.now() - startedMs,
  };
}

const NOTHING: FaultOutcome = { injected: 0, hit: 0, recoveryMs: null };

interface Attempted<Result> {
  readonly done: Result | null;
  readonly failed: readonly string[];
}

/** A failed fault is a line of the report like any other: the faults after it still run. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Attempted<Result>> {
  try {
    return { done: await work(), failed: [] };
  } catch (error) {
    return { done: null, failed: [`not completed: ${error instanceof Error ? error.message : String(error)}`] };
  }
}

async function endedOf(stack: Stack, callIds: readonly string[]): Promise<number> {
  const [row] = await stack.sql<{ ended: number }>(
    'SELECT count(*)::int AS ended FROM calls WHERE id = ANY($1::uuid[]) AND ended_at IS NOT NULL',
    [callIds],
  );
  return row?.ended ?? 0;
}
