import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EndedCall } from '@outdial/calls';
import type { AnsweredBy, EndedReason } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AT_REST, audit } from '../audit.ts';
import { openStage, type Stage } from '../stage.ts';

interface Expected {
  readonly number: string;
  readonly reason: EndedReason;
  readonly answeredBy: AnsweredBy | null;
  readonly sipCode: number | null;
}

const table: readonly Expected[] = [
  { number: '+12025550100', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550101', reason: 'busy', answeredBy: null, sipCode: 486 },
  { number: '+12025550102', reason: 'no_answer', answeredBy: null, sipCode: 487 },
  { number: '+12025550103', reason: 'declined', answeredBy: null, sipCode: 603 },
  { number: '+12025550104', reason: 'invalid_destination', answeredBy: null, sipCode: 404 },
  { number: '+12025550105', reason: 'callee_hangup', answeredBy: 'unknown', sipCode: 200 },
  { number: '+12025550106', reason: 'voicemail_reached', answeredBy: 'voicemail', sipCode: 200 },
  { number: '+12025550107', reason: 'call_screened', answeredBy: 'screening', sipCode: 200 },
  { number: '+12025550108', reason: 'silence_timeout', answeredBy: 'unknown', sipCode: 200 },
  { number: '+12025550109', reason: 'carrier_unavailable', answeredBy: null, sipCode: 503 },
  { number: '+12025550110', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550111', reason: 'agent_hangup', answeredBy: 'ivr', sipCode: 200 },
  { number: '+12025550112', reason: 'carrier_unavailable', answeredBy: null, sipCode: null },
  { number: '+12025550113', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550114', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550115', reason: 'opted_out', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550116', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550117', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550118', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550119', reason: 'agent_hangup', answeredBy: 'human', sipCode: 200 },
  { number: '+12025550177', reason: 'invalid_destination', answeredBy: null, sipCode: 404 },
];

let stage: Stage;
const ended = new Map<string, EndedCall>();

beforeAll(async () => {
  stage = await openStage();
  await stage.startWorker();
  // Compressed time does not speed up speech synthesis: the agent's speech is made once, before the shortest call.
  await stage.untilEnded(await stage.place('+12025550100'));
  const placed = await Promise.all(table.map(async ({ number }) => ({ number, callId: await stage.place(number) })));
  await Promise.all(placed.map(async ({ number, callId }) => ended.set(number, await stage.untilEnded(callId))));
});
afterAll(() => stage.close());

test.each(table)('$number ends $reason', async ({ number, reason, answeredBy, sipCode }) => {
  const call = ended.get(number);
  expect(call).toMatchObject({ endedReason: reason, answeredBy, sipCode });
});

test('answered calls are charged, recorded and transcribed; the others cost nothing and have no recording', async () => {
  for (const call of ended.values()) {
    const isAnswered = call.answeredAtMs !== null;
    expect({ costs: call.costMicros > 0n, recording: call.recordingStatus }).toEqual({
      costs: isAnswered,
      recording: isAnswered ? 'available' : 'none',
    });
    const path = join(stage.dataDir, 'recordings', call.id.slice(-2), `${call.id}.wav`);
    expect(existsSync(path)).toBe(isAnswered);
    if (isAnswered) expect(call.transcript).not.toBeNull();
  }
});

test('times are in order, and a call with talk time went through every state', async () => {
  for (const call of ended.values()) {
    expect(call.startedAtMs).toBeGreaterThan(call.createdAtMs);
    expect(call.answeredAtMs ?? call.startedAtMs).toBeGreaterThanOrEqual(call.startedAtMs);
    expect(call.endedAtMs).toBeGreaterThanOrEqual(call.answeredAtMs ?? call.startedAtMs);
  }
  const talked = ended.get('+12025550100');
  invariant(talked, 'it has ended');
  const events = await stage.events(talked.id);
  expect(events.filter((type) => type !== 'answered_by')).toEqual([
    'queued',
    'dialing',
    'ringing',
    'in_progress',
    'ended',
    'recording_available',
  ]);
});

test('afterwards every cent and every slot is accounted for', async () => {
  await expect.poll(() => audit(stage)).toEqual(AT_REST);
});
