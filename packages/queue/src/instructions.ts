import { randomUUID } from 'node:crypto';
import {
  parseInstruction,
  parseInstructionAnswer,
  type CallId,
  type InstructionAnswer,
  type InstructionMessage,
  type InstructionOutcome,
} from '@outdial/contracts';
import type { Clock, Logger } from '@outdial/kernel';
import type { RedisClient } from './redis-client.ts';
import { DEFAULT_QUEUE_PREFIX, instructionAnswerChannel, instructionChannel } from './keys.ts';

/** A worker answers at once, or has the call no more. */
const ANSWERED_WITHIN_MS = 500;

export interface InstructionSender {
  /** What the worker of the call answers. Null: none did in time. Rejects while Redis is away. */
  send(callId: CallId, text: string): Promise<InstructionOutcome | null>;
}

export interface InstructionSenderOptions {
  /** For commands. */
  readonly redis: RedisClient;
  /** A connection for subscriptions, which may carry others. */
  readonly subscriber: RedisClient;
  readonly clock: Clock;
  readonly prefix?: string;
}

/** Sends instructions to whichever worker conducts a call, and waits for its answer. */
export function createInstructionSender(options: InstructionSenderOptions): InstructionSender {
  const { redis, subscriber, clock, prefix = DEFAULT_QUEUE_PREFIX } = options;
  const sender = randomUUID();
  const channel = instructionAnswerChannel(prefix, sender);
  const waiting = new Map<string, (outcome: InstructionOutcome) => void>();
  let subscribing: Promise<unknown> | undefined;
  let isSubscribed = false;
  subscriber.on('message', (heardOn, message) => {
    if (heardOn !== channel) return;
    const answer = parseInstructionAnswer(message);
    if (answer !== null) waiting.get(answer.id)?.(answer.outcome);
  });

  /** With the first instruction. A lost connection subscribes again by itself. */
  async function subscribe(): Promise<void> {
    if (isSubscribed) return;
    subscribing ??= subscriber.subscribe(channel).then(
      () => void (isSubscribed = true),
      (error: unknown) => {
        subscribing = undefined;
        throw error;
      },
    );
    // The subscriber waits for Redis however long it is away, and the sender does not.
    await within(ANSWERED_WITHIN_MS, subscribing);
  }

  /** @throws as Redis is away, if the work takes longer */
  function within(limitMs: number, work: Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const late = clock.after(limitMs, () => reject(new Error('Command timed out')));
      work.then(resolve, reject).finally(() => late.cancel());
    });
  }

  return {
    async send(callId, text) {
      const lateMs = clock.monotonicMs() + ANSWERED_WITHIN_MS;
      await subscribe();
      // Redis was away: the sender has given up by now, and a late instruction would surprise them.
      if (clock.monotonicMs() > lateMs) return null;
      const id = randomUUID();
      const answered = new Promise<InstructionOutcome | null>((resolve) => {
        const late = clock.after(ANSWERED_WITHIN_MS, () => resolve(null));
        waiting.set(id, (outcome) => {
          late.cancel();
          resolve(outcome);
        });
      });
      try {
        const message: InstructionMessage = { id, sender, callId, text };
        await redis.publish(instructionChannel(prefix), JSON.stringify(message));
        return await answered;
      } finally {
        waiting.delete(id);
      }
    },
  };
}

/**
 * Receives every instruction from now on, and answers those that `onInstruction` knows; null: the call is another worker's. `redis` is a
 * connection for subscriptions, and may carry others; `answers` is one for commands.
 */
export async function subscribeToInstructions(options: {
  readonly redis: RedisClient;
  readonly answers: RedisClient;
  readonly logger: Logger;
  readonly prefix?: string;
  readonly onInstruction: (callId: CallId, text: string) => Promise<InstructionOutcome> | null;
}): Promise<void> {
  const { redis, answers, logger, prefix = DEFAULT_QUEUE_PREFIX, onInstruction } = options;
  const channel = instructionChannel(prefix);

  async function answer(message: string): Promise<void> {
    const instruction = parseInstruction(message);
    if (instruction === null) {
      logger.warn({ event: 'queue.signal_rejected' }, 'an instruction has another form');
      return;
    }
    const { id, sender, callId, text } = instruction;
    const outcome = await onInstruction(callId, text);
    if (outcome === null) return;
    const sent: InstructionAnswer = { id, outcome };
    await answers.publish(instructionAnswerChannel(prefix, sender), JSON.stringify(sent));
  }

  redis.on('message', (heardOn, message) => {
    // Without the answer, the sender's time runs out.
    if (heardOn === channel) answer(message).catch(() => undefined);
  });
  await redis.subscribe(channel);
}
