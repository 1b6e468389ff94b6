import { randomUUID } from 'node:crypto';
import type { Conversation, InstructOutcome } from '@outdial/calls';
import { agentSettingsSchema, callIdSchema, INSTRUCTION_LIMITS } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { createInstructedCalls } from './instructed-calls.ts';

const SCRIPTED = agentSettingsSchema.parse({ name: 'Agent', first_message: 'Hello.' });
const CONDUCTED = agentSettingsSchema.parse({
  driver: 'realtime',
  name: 'Agent',
  instructions: 'Be kind.',
  first_message: 'Hello.',
  model: { provider: 'openai', model: 'gpt-realtime' },
});
const leg = { media: null, listen: () => undefined, hangUp: () => undefined, transfer: () => undefined };

function setUp(outcome: InstructOutcome = 'taken') {
  const texts: string[] = [];
  const conversation: Conversation = {
    listen: () => undefined,
    answered: () => undefined,
    setOnHold: () => undefined,
    transferFailed: () => undefined,
    introduce: () => undefined,
    async instruct(text) {
      texts.push(text);
      return outcome;
    },
    finish: async () => ({ transcript: null, summary: null, answeredBy: null, recordingKey: null }),
  };
  const instructed = createInstructedCalls({ open: () => conversation });
  function open(settings = CONDUCTED) {
    const callId = callIdSchema.parse(randomUUID());
    return { callId, call: instructed.conversations.open({ callId, leg, settings, variables: {} }) };
  }
  return { instructed, texts, open };
}

test('a call takes instructions until it is asked to finish; one of another worker is not answered', async () => {
  const { instructed, texts, open } = setUp();
  const { callId, call } = open();
  expect(await instructed.instruct(callId, 'Offer Friday.')).toBe('taken');
  await call.finish();
  expect(instructed.instruct(callId, 'too late')).toBeNull();
  expect(instructed.instruct(callIdSchema.parse(randomUUID()), 'x')).toBeNull();
  expect(texts).toEqual(['Offer Friday.']);
});

test('a scripted agent takes none', async () => {
  const { instructed, texts, open } = setUp();
  expect(await instructed.instruct(open(SCRIPTED).callId, 'Offer Friday.')).toBe('scripted');
  expect(texts).toEqual([]);
});

test('a call takes 50, also when they come at once; those that it does not take do not count', async () => {
  const { instructed, texts, open } = setUp();
  const { callId } = open();
  const outcomes = await Promise.all(
    Array.from({ length: INSTRUCTION_LIMITS.ofCall + 3 }, async (_, nth) => instructed.instruct(callId, `${nth}`)),
  );
  expect(outcomes.filter((outcome) => outcome === 'too_many')).toHaveLength(3);
  expect(texts).toHaveLength(INSTRUCTION_LIMITS.ofCall);
  expect(await instructed.instruct(open().callId, 'another call')).toBe('taken');
  const silent = setUp('not_talking');
  const { callId: ringing } = silent.open();
  for (let nth = 0; nth <= INSTRUCTION_LIMITS.ofCall; nth += 1) await silent.instructed.instruct(ringing, 'x');
  expect(await silent.instructed.instruct(ringing, 'x')).toBe('not_talking');
});
