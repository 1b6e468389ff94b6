import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { openControlDatabase } from './database.ts';
import { controlEnv } from './env.ts';

/**
 * The control of the webhook benchmark: a BullMQ job for each delivery, `fetch`, and one insert for each attempt. No order, no
 * limit for a receiver, no check of an address.
 */
const env = controlEnv();
const prisma = openControlDatabase(env);
const jobSchema = z.object({ messageId: z.string(), endpointId: z.string(), url: z.string(), body: z.string() });
const KEY = Buffer.alloc(32, 7);

async function deliver(data: unknown): Promise<void> {
  const { messageId, endpointId, url, body } = jobSchema.parse(data);
  const startedAt = new Date();
  const [id, timestamp] = [`msg_${messageId}`, String(Math.floor(startedAt.getTime() / 1_000))];
  const signature = createHmac('sha256', KEY).update(`${id}.${timestamp}.${body}`).digest('base64');
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${signature}`,
    },
    body,
  });
  const responseBody = await response.text();
  const durationMs = Date.now() - startedAt.getTime();
  const attempt = { number: 1, startedAt, durationMs, status: response.status, responseBody, workerId: 'control' };
  await prisma.webhookAttempt.create({ data: { messageId, endpointId, ...attempt } });
}

const worker = new Worker('control-webhooks', (job) => deliver(job.data), {
  connection: new Redis(env.redisUrl, { maxRetriesPerRequest: null }),
  concurrency: env.concurrency,
});
worker.on('ready', () => process.send?.('ready'));
worker.on('failed', (_job, error) => process.send?.(`failed: ${error.message}`));
