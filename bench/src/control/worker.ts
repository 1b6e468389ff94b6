import { callJobSchema } from '@outdial/contracts';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { openControlDatabase } from './database.ts';
import { controlEnv } from './env.ts';

/**
 * The control of the worker benchmark: a BullMQ processor that moves a zero-length call through its states in the
 * plain way. Four Prisma updates and a Redis MULTI per call; no lease, no fence, no ledger.
 */
const env = controlEnv();
const redis = new Redis(env.redisUrl);
const prisma = openControlDatabase(env);

async function drive(callId: string): Promise<void> {
  const claimed = await prisma.call.update({
    where: { id: callId },
    data: { status: 'dialing', epoch: 1, workerId: 'control', startedAt: new Date(), leaseExpiresAt: new Date() },
  });
  await prisma.call.update({ where: { id: callId }, data: { status: 'ringing' } });
  await prisma.call.update({ where: { id: callId }, data: { status: 'in_progress', answeredAt: new Date() } });
  const endedAt = new Date();
  await prisma.call.update({
    where: { id: callId },
    data: { status: 'ended', endedAt, settledAt: endedAt, endedReason: 'callee_hangup', costMicros: 0n },
  });
  await redis
    .multi()
    .incrby(`control:held:${claimed.accountId}`, -Number(claimed.holdMicros))
    .decr(`control:slots:${claimed.accountId}`)
    .exec();
}

const worker = new Worker('control', (job) => drive(callJobSchema.parse(job.data).call_id), {
  connection: new Redis(env.redisUrl, { maxRetriesPerRequest: null }),
  concurrency: env.concurrency,
});
worker.on('ready', () => process.send?.('ready'));
worker.on('failed', (_job, error) => process.send?.(`failed: ${error.message}`));
