import { settlementOf } from '@outdial/calls/testing';
import { agentSettingsSchema, ANALYSIS_QUEUE, DRIVERS } from '@outdial/contracts';
import { createLogger, invariant } from '@outdial/kernel';
import { createAdministration, createDriveStore, createReconcileStore } from '@outdial/persistence';
import { createCallQueue } from '@outdial/queue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../stage.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const settings = agentSettingsSchema.parse({
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
  analysis: { summary: {}, llm: { provider: 'openai', model: 'gpt-5-mini' } },
});

test('a worker takes the analysis of an ended call off its queue, and says what came of it', async () => {
  const { agents } = createAdministration(stage.database, { actor: 'test' });
  await agents.update({ agentId: stage.agentId, settings });
  const callId = await stage.place('+12025550100');
  const queue = createCallQueue({ redis: stage.redis, logger, name: ANALYSIS_QUEUE });
  const wanted: string[] = [];
  const drives = createDriveStore(stage.database, { onAnalysisWanted: (id) => wanted.push(id) });
  const lines = { names: [], token: await createReconcileStore(stage.database).currentToken() };
  const worker = { workerId: 'gone', leaseMs: 60_000, writeAheadDial: false, drivers: DRIVERS };
  const claim = await drives.claim({ callId, ...worker, lines });
  invariant(claim.kind === 'claimed', 'the call is claimed');
  const turn = { role: 'callee', text: 'Yes.', start_ms: 0, end_ms: 400, source: 'stt', interrupted: false } as const;
  await drives.settle(settlementOf(claim.call, { transcript: [turn], wantsAnalysis: true }));
  expect(wanted).toEqual([callId]);
  await queue.add([callId]);
  await stage.startWorker();
  await expect.poll(() => stage.events(callId)).toContain('analyzed');
  // No credential of a provider is known to this worker.
  expect(await stage.find(callId)).toMatchObject({ status: 'ended', analysisStatus: 'failed', analysis: null });
  await queue.close();
});
