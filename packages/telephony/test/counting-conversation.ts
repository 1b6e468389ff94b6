import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ConversationEvent, Frame, Leg, VoiceAgent, VoiceAgentEvent, VoiceAgentFactory } from '@outdial/calls';
import { callIdSchema } from '@outdial/contracts';
import { ManualClock } from '@outdial/testkit/async';
import { createConversations } from '../src/media/conversations.ts';
import { createMediaClock } from '../src/media/media-clock.ts';
import { settings } from '../src/testing/dial-request.ts';
import { MemoryRecordings } from '../src/testing/memory-recordings.ts';

const filled = (sample: number): Frame => new Int16Array(160).fill(sample);

/** A leg whose callee says frame after frame: 1, 2, 3 … from the first `receive` on. */
export class CountingLeg implements Leg {
  readonly sent: Frame[] = [];
  readonly sentDigits: string[] = [];
  clears = 0;
  received = 0;
  digits = '';
  readonly media = {
    receive: (): Frame | undefined => filled((this.received += 1)),
    send: (frame: Frame) => void this.sent.push(frame),
    clear: () => (this.clears += 1),
    receiveDigits: () => {
      const { digits } = this;
      this.digits = '';
      return digits;
    },
    sendDigits: (digits: string) => void this.sentDigits.push(digits),
  };
  listen(): void {}
  hangUp(): void {}
  transfer(): void {}
}

/** An agent that says -1, -2, -3 … and records what it hears; tests change its behavior. */
export class CountingAgent implements VoiceAgent {
  readonly heard: number[] = [];
  readonly heardDigits: string[] = [];
  said = 0;
  finishes = 0;
  emit: (event: VoiceAgentEvent) => void = () => undefined;
  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.emit = listener;
  }
  hear(frame: Frame): void {
    this.heard.push(frame[0] ?? 0);
  }
  hearDigits(digits: string): void {
    this.heardDigits.push(digits);
  }
  /** Of an agent with a model. */
  instruct?: (text: string) => boolean;
  readonly holds: boolean[] = [];
  setOnHold(isOnHold: boolean): void {
    this.holds.push(isOnHold);
  }
  speak(): Frame | undefined {
    this.said += 1;
    return filled(-this.said);
  }
  finish() {
    this.finishes += 1;
    return { transcript: [], answeredBy: 'human', summary: 'Done.' } as const;
  }
}

/** A conversation with a counting leg, on a manual clock. */
export function openConversation(prepare: VoiceAgentFactory['prepare'], recordings = new MemoryRecordings()) {
  const clock = new ManualClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const media = createMediaClock({ clock, onError });
  const conversations = createConversations({ clock: media, agents: { prepare }, recordings, onError });
  const leg = new CountingLeg();
  const callId = callIdSchema.parse(randomUUID());
  const conversation = conversations.open({ callId, leg, settings, variables: {} });
  const events: ConversationEvent[] = [];
  conversation.listen((event) => events.push(event));
  const channels = () => recordings.channelsOf(callId);
  return { clock, errors, leg, callId, conversation, events, channels };
}

/** The same, with an agent that is ready. */
export async function openConversationWith(agent: VoiceAgent, recordings = new MemoryRecordings()) {
  const call = openConversation(() => Promise.resolve(agent), recordings);
  await setImmediate();
  return call;
}
