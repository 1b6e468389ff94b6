import { CALLER_NUMBER, CAPACITY, PEPPER_HEX, type BenchAccount } from '../seed.ts';
import { createLoad, type LoadOptions, type LoadResult } from '../load/http-load.ts';
import { startSubprocess } from '../processes.ts';
import { median, type Figure } from '../report.ts';
import type { Stage, StageStores } from '../stage.ts';

const CONNECTIONS = 64;
const ROUNDS = 3;
const SECONDS = 8;
export const POOL_SIZE = 10;
const CALL = { to_number: '+12025550105', variables: { name: 'Ann' } };

const accepted = (result: LoadResult) => result.acceptedPerSecond;

const contenders = ['bare', 'control', 'subject'] as const;
type Contender = (typeof contenders)[number];

/** One API process against the control and against a handler that only parses and validates, in turns. */
export async function measureCreates(
  stage: Stage,
  account: BenchAccount,
  say: (text: string) => void,
): Promise<Figure[]> {
  const results: Record<Contender, LoadResult[]> = { bare: [], control: [], subject: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    for (const contender of contenders) {
      const result = await measure(contender, stage, account);
      if (result.refused > 0) throw new Error(`${contender} rejected ${result.refused} creates: the figure is invalid`);
      results[contender].push(result);
      say(`round ${round}, ${contender}: ${Math.round(result.acceptedPerSecond)}/s, p99 ${result.p99Ms} ms`);
    }
  }
  const rate = (contender: Contender) => median(results[contender].map((result) => result.acceptedPerSecond));
  const p99 = (contender: Contender) => median(results[contender].map((result) => result.p99Ms));
  // Ratios are computed per round, then their median: the machine's speed drifts between rounds.
  const ratio = (other: Contender, of: (result: LoadResult) => number) =>
    median(results.subject.map((result, round) => of(result) / of(results[other][round] ?? result)));
  const rates = { 'subject/s': rate('subject'), 'control/s': rate('control'), 'bare/s': rate('bare') };
  const latencies = { 'subject p99 ms': p99('subject'), 'control p99 ms': p99('control') };
  return [
    figure(
      'accepted creates/s, one API process, 64 connections',
      ratio('control', accepted),
      'atLeast',
      2,
      '× control',
      rates,
    ),
    figure('accepted creates/s', ratio('bare', accepted), 'atLeast', 0.5, '× a bare Express handler', rates),
    figure(
      'p99 latency at that load',
      ratio('control', (result) => result.p99Ms),
      'atMost',
      1,
      '× control',
      latencies,
    ),
  ];
}

function figure(
  name: string,
  value: number,
  bound: 'atLeast' | 'atMost',
  goal: number,
  unit: string,
  absolute: Readonly<Record<string, number>>,
): Figure {
  return { name, value, unit, absolute, goal: bound === 'atLeast' ? { atLeast: goal } : { atMost: goal } };
}

async function measure(contender: Contender, stage: Stage, account: BenchAccount): Promise<LoadResult> {
  const port = 21_300 + contenders.indexOf(contender);
  const server = await startServer(contender, stage, port);
  const load = createsLoad({ port, ...account });
  try {
    await createLoad({ ...load, seconds: WARM_UP_SECONDS });
    return await createLoad(load);
  } finally {
    await server.stop();
  }
}

export const WARM_UP_SECONDS = 2;

type CreatesOptions = Pick<BenchAccount, 'apiKey' | 'agentId'> & {
  readonly port: number;
  readonly scheduledFor?: Date;
};

/** The load of one measurement. */
export function createsLoad({ port, apiKey, agentId, scheduledFor }: CreatesOptions): LoadOptions {
  return {
    url: `http://127.0.0.1:${port}/api/v1/outbound/calls`,
    connections: CONNECTIONS,
    headers: { 'x-api-key': apiKey },
    body: JSON.stringify({ ...CALL, agent_id: agentId, scheduled_for: scheduledFor?.toISOString() }),
    seconds: SECONDS,
  };
}

function startServer(contender: Contender, stage: Stage, port: number) {
  const entries: Record<Contender, string> = {
    bare: 'bench/src/control/bare-server.ts',
    control: 'bench/src/control/create-server.ts',
    subject: 'apps/api/src/main.ts',
  };
  if (contender !== 'subject')
    return startSubprocess({ entry: entries[contender], env: controlEnvironment(stage.control, port) });
  return startSubprocess({
    entry: entries.subject,
    env: apiEnvironment(stage.subject, port),
    ready: () => untilReady(port),
  });
}

export function controlEnvironment(stores: StageStores, port: number): Record<string, string> {
  return {
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    PORT: String(port),
    POOL_SIZE: String(POOL_SIZE),
    CONCURRENCY: '100',
    HOLD_MICROS: '24000',
    CAPACITY: String(CAPACITY),
    CALLER_NUMBER,
  };
}

export function apiEnvironment(stores: StageStores, port: number): Record<string, string> {
  return {
    REDIS_URL: stores.redisUrl,
    DATABASE_URL: stores.databaseUrl,
    PORT: String(port),
    OUTDIAL_KEY_PEPPER: PEPPER_HEX,
    OUTDIAL_DEFAULT_POLICY: 'open',
    OUTDIAL_DATABASE_POOL: String(POOL_SIZE),
  };
}

export async function untilReady(port: number): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
