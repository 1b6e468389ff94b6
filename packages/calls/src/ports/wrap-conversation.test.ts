import { callIdSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import type { Conversation } from './conversation.ts';
import { wrapConversation } from './wrap-conversation.ts';

const result = { transcript: null, summary: null, answeredBy: null, recordingKey: null };

/** Each method needs its `this`, as those of a class do. */
class Noting implements Required<Conversation> {
  readonly asked: string[] = [];
  listen = () => this.#note('listen');
  answered = () => this.#note('answered');
  setOnHold = () => this.#note('setOnHold');
  transferFailed = () => this.#note('transferFailed');
  introduce = () => this.#note('introduce');
  monitor() {
    this.#note('monitor');
  }
  async instruct() {
    this.#note('instruct');
    return 'taken' as const;
  }
  async finish() {
    this.#note('finish');
    return result;
  }
  #note(method: string): void {
    this.asked.push(method);
  }
}

test('a wrapped conversation passes on everything but what is replaced', async () => {
  const inner = new Noting();
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
  const wrapped = wrapConversation({ ...new Noting(), finish: async () => result }, {});
  expect(wrapped.instruct).toBeUndefined();
  expect(wrapped.monitor).toBeUndefined();
});
