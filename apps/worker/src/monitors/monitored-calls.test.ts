import { randomUUID } from 'node:crypto';
import type { CallSound, Conversation } from '@outdial/calls';
import { agentSettingsSchema, callIdSchema, parseLiveSound, type CallId, type LiveSound } from '@outdial/contracts';
import { fakeClock } from '@outdial/testkit';
import { expect, test } from 'vitest';
import { createMonitoredCalls } from './monitored-calls.ts';

const settings = agentSettingsSchema.parse({ name: 'Agent', first_message: 'Hello.' });
const leg = { media: null, listen: () => undefined, hangUp: () => undefined, transfer: () => undefined };
const newId = () => callIdSchema.parse(randomUUID());

/** A worker whose conversations record for how long they are monitored. */
function setUp({ takes = true } = {}) {
  const clock = fakeClock();
  const asked: number[] = [];
  const sent: [CallId, LiveSound | null][] = [];
  const outcomes: string[] = [];
  let hear: ((sound: CallSound) => void) | undefined;
  const conversation: Conversation = {
    listen: () => undefined,
    answered: () => undefined,
    setOnHold: () => undefined,
    transferFailed: () => undefined,
    introduce: () => undefined,
    monitor(forMs, listener) {
      asked.push(forMs);
      hear = listener;
    },
    finish: async () => ({ transcript: null, summary: null, answeredBy: null, recordingKey: null }),
  };
  const monitored = createMonitoredCalls({
    conversations: { open: () => conversation },
    publisher: {
      publish(callId, message) {
        if (takes) sent.push([callId, parseLiveSound(message)]);
        return takes;
      },
    },
    clock,
    onBatch: (outcome) => outcomes.push(outcome),
  });
  const open = (callId = newId()) => ({
    callId,
    call: monitored.conversations.open({ callId, leg, settings, variables: {} }),
  });
  return { clock, monitored, asked, sent, outcomes, open, hear: (sound: CallSound) => hear?.(sound) };
}

const sound = (firstFrame: number): CallSound => ({ firstFrame, samples: new Int16Array(1_600).fill(8_000) });

test('a call is listened to from a lease on until the last one lapses, and sends µ-law', async () => {
  const { clock, monitored, asked, sent, outcomes, open, hear } = setUp();
  const { callId } = open();
  expect(asked).toEqual([]);
  monitored.monitored(callId, 15_000);
  hear(sound(5));
  await clock.advance(10_000);
  monitored.monitored(callId, 15_000);
  await clock.advance(14_999);
  expect(asked).toEqual([15_000, 15_000]);
  await clock.advance(1);
  expect(asked).toEqual([15_000, 15_000, 0]);
  expect(outcomes).toEqual(['published']);
  const [[id, message] = []] = sent;
  expect(id).toBe(callId);
  expect(message).toMatchObject({ kind: 'sound', firstFrame: 5, ulaw: { length: 1_600 } });
});

test('it stops at once when the last member leaves, and leaves no timer', () => {
  const { clock, monitored, asked, open } = setUp();
  const { callId } = open();
  monitored.monitored(callId, 15_000);
  monitored.monitored(callId, 0);
  expect(asked).toEqual([15_000, 0]);
  expect(clock.pendingTimers()).toBe(0);
});

test('a call of another worker, or one that has ended, is ignored; monitors of a call that ends learn it once', async () => {
  const { clock, monitored, asked, sent, open } = setUp();
  monitored.monitored(newId(), 15_000);
  const [heard, unheard] = [open(), open()];
  monitored.monitored(heard.callId, 15_000);
  await Promise.all([heard.call.finish(), heard.call.finish(), unheard.call.finish()]);
  monitored.monitored(heard.callId, 15_000);
  expect(asked).toEqual([15_000]);
  expect(sent).toEqual([[heard.callId, { kind: 'over' }]]);
  expect(clock.pendingTimers()).toBe(0);
});

test('what Redis does not take is counted as dropped', () => {
  const { monitored, outcomes, open, hear } = setUp({ takes: false });
  const { callId } = open();
  monitored.monitored(callId, 15_000);
  hear(sound(0));
  expect(outcomes).toEqual(['dropped']);
});
