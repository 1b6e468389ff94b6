import { callIdSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import type { Conversation, ConversationResult, InstructOutcome } from './conversation.ts';
import { wrapConversation } from './wrap-conversation.ts';

const result = { transcript: null, summary: null, answeredBy: null, recordingKey: null };

/** A scripted conversation of the simulated network: neither a model nor sound. */
class Plain implements Conversation {
  readonly asked: string[] = [];
  listen(): void {
    this.asked.push('listen');
  }
  answered(): void {
    this.asked.push('answered');
  }
  setOnHold(): void {
    this.asked.push('setOnHold');
  }
  transferFailed(): void {
    this.asked.push('transferFailed');
  }
  introduce(): void {
    this.asked.push('introduce');
  }
  async finish(): Promise<ConversationResult> {
    this.asked.push('finish');
    return result;
  }
}

class Full extends Plain implements Required<Conversation> {
  monitor(): void {
    this.asked.push('monitor');
  }
  async instruct(): Promise<InstructOutcome> {
    this.asked.push('instruct');
    return 'taken';
  }
}

test('a wrapped conversation passes on everything but what is replaced', async () => {
  const inner = new Full();
  const outer = wrapConversation(wrapConversation(inner, { answered: () => undefined }), {});
  outer.listen(() => undefined);
  outer.answered();
  outer.setOnHold(true);
  outer.transferFailed({ reason: 'refused', sipCode: null });
  outer.introduce({ legId: callIdSchema.parse(crypto.randomUUID()), leg: { media: null } });
  outer.monitor?.(1, () => undefined);
  expect(await outer.instruct?.('Offer Friday.')).toBe('taken');
  expect(await outer.finish()).toBe(result);
  expect(inner.asked).toEqual(['listen', 'setOnHold', 'transferFailed', 'introduce', 'monitor', 'instruct', 'finish']);
});

test('a wrapped conversation without a model or sound still has none', () => {
  const wrapped = wrapConversation(new Plain(), {});
  expect(Object.keys(wrapped)).not.toContain('instruct');
  expect(Object.keys(wrapped)).not.toContain('monitor');
});
