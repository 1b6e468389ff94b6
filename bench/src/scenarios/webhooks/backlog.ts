import { createDatabase, createWebhookStore } from '@outdial/persistence';
import { median, type Figure } from '../../report.ts';
import { copyOfSubject, query, type Stage } from '../../stage.ts';
import { addSubscribers } from '../../webhooks/endpoints.ts';

const SMALL = 1_000;
const LARGE = 1_000_000;
const SAMPLES = 80;
/** Of the process and of the sessions, which plan their statements. */
const WARM_UP_SAMPLES = 15;
const LIMITS = { freeSlots: 400, freeSlotsForHealthyLanes: 80 } as const;

/** What a claim takes with so much pending in one lane. The claims of both sizes take turns. */
export async function measureBacklog(stage: Stage, say: (text: string) => void): Promise<Figure[]> {
  say(`making ${LARGE} deliveries`);
  const [small, large] = [await openLane(stage, SMALL), await openLane(stage, LARGE)];
  const samples = { small: [] as number[], large: [] as number[] };
  try {
    for (let sample = 0; sample < WARM_UP_SAMPLES; sample += 1) {
      await small.claim();
      await large.claim();
    }
    // Otherwise the checkpoint of the million rows would fall into the samples of both.
    await query(stage.subject.databaseUrl, 'CHECKPOINT');
    for (let sample = 0; sample < SAMPLES; sample += 1) {
      samples.small.push(await small.claim());
      samples.large.push(await large.claim());
    }
  } finally {
    await Promise.all([small.close(), large.close()]);
  }
  return [
    {
      name: 'a claim with 1 million deliveries pending in a lane against 1,000',
      value: median(samples.large) / median(samples.small),
      unit: '×',
      goal: { atMost: 1.2 },
      absolute: { '1M ms': median(samples.large), '1k ms': median(samples.small) },
    },
  ];
}

async function openLane(stage: Stage, deliveries: number) {
  const databaseUrl = await copyOfSubject(stage, `bench_webhooks_${deliveries}`);
  const [subscriber] = await addSubscribers(databaseUrl, { ports: [9], hanging: 0 });
  if (!subscriber) throw new Error('there is a subscriber');
  await query(
    databaseUrl,
    `WITH messages AS (
       INSERT INTO webhook_messages (account_id, call_id, event_id, type, occurred_at, body)
       SELECT $1, gen_random_uuid(), i, 'call.ended', now(), '{}' FROM generate_series(1, $3::int) AS i
       RETURNING id, call_id, event_id, type
     )
     INSERT INTO webhook_deliveries (message_id, endpoint_id, account_id, lane, call_id, event_id, type, tries_left, due_at)
     SELECT m.id, $2, $1, $2, m.call_id, m.event_id, m.type, 10, now() FROM messages m`,
    [subscriber.accountId, subscriber.endpointId, deliveries],
  );
  await query(databaseUrl, 'VACUUM (ANALYZE) webhook_messages, webhook_deliveries');
  const database = createDatabase({ url: databaseUrl, poolSize: 1, readPoolSize: 1 });
  const store = createWebhookStore(database, { workerId: 'bench' });
  return {
    async claim(): Promise<number> {
      const startedMs = performance.now();
      const { deliveries: claimed } = await store.claim(LIMITS);
      const tookMs = performance.now() - startedMs;
      if (claimed.length !== 10) throw new Error(`${claimed.length} were claimed instead of 10`);
      await finishAll(store, claimed);
      return tookMs;
    },
    close: () => database.close(),
  };
}

type Store = ReturnType<typeof createWebhookStore>;
type Claimed = Awaited<ReturnType<Store['claim']>>['deliveries'];

/** Makes room in the lane. */
function finishAll({ finish }: Pick<Store, 'finish'>, claimed: Claimed): Promise<unknown> {
  const outcome = {
    startedAtMs: Date.now(),
    durationMs: 1,
    status: 204,
    error: null,
    responseHeaders: {},
    responseBody: null,
    verdict: { kind: 'delivered' },
  } as const;
  return Promise.all(
    claimed.map(({ messageId, endpointId, laneId, attempt }) =>
      finish({ messageId, endpointId, laneId, attempt, ...outcome }),
    ),
  );
}
