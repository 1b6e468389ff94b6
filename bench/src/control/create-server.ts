import { createHash, randomUUID } from 'node:crypto';
import { createCallSchema } from '@outdial/contracts';
import { Queue } from 'bullmq';
import express from 'express';
import { Redis } from 'ioredis';
import { openControlDatabase } from './database.ts';
import { controlEnv } from './env.ts';

/**
 * The control of the create benchmark: an Express handler that accepts calls in the plain way. A hashed key looked up
 * in Redis, one script of GET and INCR for funds and capacity, one Prisma insert, one `queue.add`. It keeps no
 * promise across a crash; it shows what the same work costs without the promises.
 */
const RESERVE = `
local balance = tonumber(redis.call('GET', KEYS[1]) or '0')
local held = tonumber(redis.call('GET', KEYS[2]) or '0')
if balance - held < tonumber(ARGV[1]) then return 'insufficient_funds' end
if tonumber(redis.call('GET', KEYS[3]) or '0') >= tonumber(ARGV[2]) then return 'capacity_exceeded' end
redis.call('INCRBY', KEYS[2], ARGV[1])
redis.call('INCR', KEYS[3])
return 'reserved'
`;

const env = controlEnv();
const redis = new Redis(env.redisUrl, { enableOfflineQueue: true });
const reserveSha = String(await redis.script('LOAD', RESERVE));
const queue = new Queue('control', { connection: new Redis(env.redisUrl, { maxRetriesPerRequest: null }) });
const prisma = openControlDatabase(env);

const app = express();
app.disable('x-powered-by');
app.use(express.json({ limit: '64kb' }));

app.post('/api/v1/outbound/calls', async (request, response) => {
  const key = request.header('x-api-key') ?? '';
  const digest = createHash('sha256').update(key).digest('hex');
  const accountId = await redis.get(`control:key:${digest}`);
  if (accountId === null) {
    response.status(401).json({ error: 'invalid_api_key' });
    return;
  }
  const body = createCallSchema.safeParse(request.body);
  if (!body.success) {
    response.status(400).json({ error: 'invalid_request' });
    return;
  }
  const keys = [`control:balance:${accountId}`, `control:held:${accountId}`, `control:slots:${accountId}`];
  const outcome = await redis.evalsha(reserveSha, keys.length, ...keys, env.holdMicros, env.capacity);
  if (outcome !== 'reserved') {
    response.status(429).json({ error: outcome });
    return;
  }
  const now = new Date();
  const call = await prisma.call.create({
    data: {
      id: randomUUID(),
      accountId,
      agentId: body.data.agent_id,
      agentVersion: 1,
      callerNumber: env.callerNumber,
      calleeNumber: body.data.to_number,
      currency: 'USD',
      ratePrefix: '1',
      connectionFeeMicros: 0n,
      pricePerMinuteMicros: 12_000n,
      initialIncrementSeconds: 60,
      incrementSeconds: 60,
      reservationId: randomUUID(),
      holdMicros: BigInt(env.holdMicros),
      maxDurationSeconds: 1_800,
      ringTimeoutSeconds: 30,
      variables: body.data.variables ?? {},
      requestId: randomUUID(),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 600_000),
    },
  });
  await queue.add('call', { call_id: call.id }, { jobId: call.id, removeOnComplete: true, removeOnFail: true });
  response.status(201).json({
    call: { ...call, holdMicros: undefined, costMicros: 0, connectionFeeMicros: 0, pricePerMinuteMicros: 0.012 },
  });
});

app.listen(env.port, '127.0.0.1', () => process.send?.('ready'));
