import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { processorSeconds } from '../../processor-time.ts';
import { startSubprocess, type Subprocess } from '../../processes.ts';
import { median, type Figure } from '../../report.ts';
import { copyOfSubject, query, type Stage, type StageStores } from '../../stage.ts';
import { addCalls, addSubscribers, type Subscriber } from '../../webhooks/endpoints.ts';
import { startSender } from '../../webhooks/sender.ts';
import { controlEnvironment } from '../creates.ts';

const DELIVERIES = 6_000;
const ROUNDS = 3;
const POLL_MS = 20;

interface Rate {
  readonly perSecond: number;
  /** Processor time of the worker for a delivery. */
  readonly usedMs: number;
}

/** Deliveries that one worker makes of a backlog, per second, against the control's worker. */
export async function measureRate(
  stage: Stage,
  ports: readonly number[],
  say: (text: string) => void,
): Promise<Figure[]> {
  const stores = { ...stage.subject, databaseUrl: await copyOfSubject(stage, 'bench_webhooks_rate') };
  const subscribers = await addSubscribers(stores.databaseUrl, { ports, hanging: 0 });
  const results: Record<'subject' | 'control', Rate[]> = { subject: [], control: [] };
  for (let round = 1; round <= ROUNDS; round += 1) {
    results.subject.push(await subjectRate(stores, subscribers));
    const body = await someBody(stores.databaseUrl);
    results.control.push(await controlRate(stage.control, ports, body));
    const [ours, theirs] = [results.subject.at(-1), results.control.at(-1)];
    say(`round ${round}: ${shown(ours)} against ${shown(theirs)} of the control`);
  }
  const middle = (of: 'subject' | 'control', field: keyof Rate) => median(results[of].map((rate) => rate[field]));
  const ratios = results.subject.map(({ perSecond }, round) => perSecond / (results.control[round]?.perSecond ?? NaN));
  const absolute = {
    'subject/s': middle('subject', 'perSecond'),
    'control/s': middle('control', 'perSecond'),
    'ms of a core each': middle('subject', 'usedMs'),
    'of the control': middle('control', 'usedMs'),
  };
  return [
    {
      name: 'deliveries/s of one worker, 20 endpoints',
      value: median(ratios),
      unit: '× control',
      goal: { atLeast: 2 },
      absolute,
    },
    {
      name: 'the same, absolute',
      value: middle('subject', 'perSecond'),
      unit: '/s',
      goal: { atLeast: 1_000 },
      absolute,
    },
  ];
}

const shown = (rate?: Rate) =>
  `${Math.round(rate?.perSecond ?? NaN)} deliveries/s (${rate?.usedMs.toFixed(2)} ms of a core each)`;

async function subjectRate(stores: StageStores, subscribers: readonly Subscriber[]): Promise<Rate> {
  await query(stores.databaseUrl, 'TRUNCATE webhook_messages, webhook_deliveries, webhook_attempts');
  const callIds = await addCalls(stores.databaseUrl, subscribers, DELIVERIES);
  // The trigger makes the backlog.
  await query(
    stores.databaseUrl,
    `INSERT INTO call_events (call_id, type, at) SELECT unnest($1::uuid[]), 'ended', clock_timestamp()`,
    [callIds],
  );
  await query(stores.databaseUrl, 'VACUUM (ANALYZE) webhook_messages, webhook_deliveries, calls, call_events');
  const delivered = `SELECT count(*)::int AS count FROM webhook_deliveries WHERE state = 'delivered'`;
  return rateOf(() => startSender(stores), stores.databaseUrl, delivered);
}

async function someBody(databaseUrl: string): Promise<string> {
  const [row] = await query<{ body: string }>(
    databaseUrl,
    'SELECT body FROM webhook_messages WHERE body IS NOT NULL LIMIT 1',
  );
  if (!row) throw new Error('a message has its body');
  return row.body;
}

async function controlRate(stores: StageStores, ports: readonly number[], body: string): Promise<Rate> {
  await query(stores.databaseUrl, 'TRUNCATE webhook_attempts');
  const connection = new Redis(stores.redisUrl, { maxRetriesPerRequest: null });
  const queue = new Queue('control-webhooks', { connection });
  await queue.addBulk(
    Array.from({ length: DELIVERIES }, (_, index) => ({
      name: 'delivery',
      data: { ...someIds(), url: `http://127.0.0.1:${ports[index % ports.length]}/`, body },
      opts: { removeOnComplete: true, removeOnFail: true },
    })),
  );
  await queue.close();
  connection.disconnect();
  const entry = 'bench/src/control/webhook-worker.ts';
  // As many requests at once as the lanes of the subject allow.
  const env = { ...controlEnvironment(stores, 1), CONCURRENCY: String(ports.length * 10) };
  const made = 'SELECT count(*)::int AS count FROM webhook_attempts';
  return rateOf(() => startSubprocess({ entry, env }), stores.databaseUrl, made);
}

const someIds = () => ({ messageId: crypto.randomUUID(), endpointId: crypto.randomUUID() });

/** Between the tenth and the ninetieth percentile: without start-up and tail. */
async function rateOf(start: () => Promise<Subprocess>, databaseUrl: string, counting: string): Promise<Rate> {
  const worker = await start();
  const until = async (least: number) => {
    for (;;) {
      const [row] = await query<{ count: number }>(databaseUrl, counting);
      if (row && row.count >= least) {
        return { count: row.count, atMs: performance.now(), usedMs: (await processorSeconds(worker.pid)) * 1_000 };
      }
      await sleep(POLL_MS);
    }
  };
  const early = await until(DELIVERIES * 0.1);
  const late = await until(DELIVERIES * 0.9);
  await until(DELIVERIES);
  await worker.stop();
  const count = late.count - early.count;
  return { perSecond: (count * 1_000) / (late.atMs - early.atMs), usedMs: (late.usedMs - early.usedMs) / count };
}
