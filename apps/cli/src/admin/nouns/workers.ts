import type { WorkerRecord } from '@outdial/persistence';
import type { Command } from 'commander';
import { z } from 'zod';
import { formatTable, type Column } from '../../terminal/table.ts';
import { isoTime, shownTime } from '../columns.ts';
import type { Json, Report } from '../report.ts';
import type { AdminSession } from '../session.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

const workerInput = z.strictObject({ workerId: z.string().min(1, 'must not be empty') });
const WORKER_ID = [['<worker-id>', 'as `workers list` shows it']] as const;

const COLUMNS: readonly Column<WorkerRecord>[] = [
  { title: 'WORKER', value: ({ id }) => id },
  { title: 'VERSION', value: ({ version }) => version },
  { title: 'STATE', value: ({ state }) => state },
  { title: 'CALLS', value: ({ liveCalls, concurrency }) => `${liveCalls} of ${concurrency}`, align: 'right' },
  { title: 'SEEN', value: ({ seenAtMs }) => shownTime(seenAtMs) },
];

export function addWorkerVerbs(program: Command, runVerb: RunVerb): void {
  const workers = createNoun(program, 'workers', 'Workers are the processes that drive calls.');
  addVerb(workers, runVerb, {
    name: 'list',
    summary: 'List the workers with their calls and the time since their last report.',
    examples: ['workers list'],
    changes: false,
    input: z.strictObject({}),
    run: async ({ administration }) => reportOf(await administration.workers.list()),
  });
  addVerb(workers, runVerb, {
    name: 'drain',
    summary:
      'Stop a worker from taking new calls. It finishes its calls and keeps settling the calls of crashed workers.',
    arguments: WORKER_ID,
    examples: ['workers drain <worker-id>'],
    changes: true,
    input: workerInput,
    run: (session, { workerId }) => setDraining(session, workerId, true),
  });
  addVerb(workers, runVerb, {
    name: 'resume',
    summary: 'Let a drained worker take calls again.',
    arguments: WORKER_ID,
    examples: ['workers resume <worker-id>'],
    changes: true,
    input: workerInput,
    run: (session, { workerId }) => setDraining(session, workerId, false),
  });
}

async function setDraining(session: AdminSession, workerId: string, draining: boolean): Promise<Report> {
  const { workers } = session.administration;
  await workers.setDraining({ workerId, draining });
  await session.hurryWorkers();
  return reportOf((await workers.list()).filter(({ id }) => id === workerId));
}

function reportOf(workers: readonly WorkerRecord[]): Report {
  const text = formatTable(COLUMNS, workers, 'No worker has reported yet.');
  return { json: { workers: workers.map((worker) => workerJson(worker)) }, text };
}

function workerJson({ startedAtMs, seenAtMs, liveCalls, oldestLeaseSeconds, ...worker }: WorkerRecord): Json {
  return {
    ...worker,
    started_at: isoTime(startedAtMs),
    seen_at: isoTime(seenAtMs),
    live_calls: liveCalls,
    oldest_lease_seconds: oldestLeaseSeconds,
  };
}
