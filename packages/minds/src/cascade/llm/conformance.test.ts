import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CascadeStage } from '../../../test/cascade-stage.ts';
import { answerOf, ENDPOINTS, textOf, usageOf, type Endpoint } from '../../../test/language-models.ts';
import type { HistoryItem } from '../../mind.ts';
import type { LanguageModelEvent, LanguageModelRequest } from './language-model.ts';

const SAID = 'The café opens at nine, naïve as it is.';
const SCRIPT = {
  opening: { say: 'Good morning.' },
  rules: [
    { when: /free at nine/, say: 'Nine is free.' },
    {
      when: /slot/,
      say: 'Let me see.',
      tool: { name: 'lookup', arguments: { day: 'Tuesday', part: 'in the morning' } },
    },
  ],
  otherwise: { say: SAID },
};
const UNITS = ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const;
const callee = (text: string): HistoryItem => ({ kind: 'callee', text });
const agent = (text: string): HistoryItem => ({ kind: 'agent', text });
const requestOf = (...conversation: readonly HistoryItem[]): LanguageModelRequest => ({
  instructions: 'Be brief.',
  conversation,
  tools: [
    {
      name: 'lookup',
      description: 'Finds slots.',
      parameters: {
        type: 'object',
        properties: { day: { type: 'string' } },
        required: ['day'],
        additionalProperties: false,
      },
    },
    { name: 'hang_up', description: 'Ends the call.', parameters: { type: 'object', properties: {} } },
  ],
});
const HELLO = requestOf(callee('Hello?'));

let stage: CascadeStage;
beforeEach(async () => {
  stage = await CascadeStage.open({ script: SCRIPT });
});
afterEach(() => stage.close());

const billed = ({ provider }: Endpoint, unit: (typeof UNITS)[number]) =>
  stage.ledger.total({ component: 'llm', provider, unit });

function expectExactUsage(endpoint: Endpoint, events: readonly LanguageModelEvent[]): void {
  const entries = usageOf(events);
  for (const unit of UNITS) {
    const ours = entries.filter((entry) => entry.unit === unit).reduce((sum, { quantity }) => sum + quantity, 0);
    expect({ unit, quantity: ours }).toEqual({ unit, quantity: billed(endpoint, unit) });
  }
  expect(entries.every((entry) => entry.provider === endpoint.provider && entry.estimated === undefined)).toBe(true);
}

/** The words alone are counted, so never more than what is billed. */
function expectEstimate(endpoint: Endpoint, events: readonly LanguageModelEvent[]): void {
  const entries = usageOf(events);
  expect(entries.length).toBeGreaterThan(0);
  expect(entries.every(({ estimated }) => estimated)).toBe(true);
  const total = entries.reduce((sum, { quantity }) => sum + quantity, 0);
  expect(total).toBeLessThanOrEqual(stage.ledger.total({ component: 'llm', provider: endpoint.provider }));
}

describe.each(ENDPOINTS)('$name', (endpoint) => {
  test('answers word for word, with usage to the token', async () => {
    const events = await answerOf(endpoint.open(stage), HELLO);
    expect(textOf(events)).toBe(SAID);
    expect(events.at(-1)).toEqual({ kind: 'over', outcome: 'completed' });
    expectExactUsage(endpoint, events);
  });

  test('calls a tool, and answers to its result', async () => {
    const model = endpoint.open(stage);
    const asked = [agent('Good morning Anna.'), callee('Is there a slot?')];
    const first = await answerOf(model, requestOf(...asked));
    expect(textOf(first).trim()).toBe('Let me see.');
    const [call] = first.flatMap((event) => (event.kind === 'tool_call' ? [event] : []));
    expect(call?.name).toBe('lookup');
    expect(JSON.parse(call?.argumentsText ?? '')).toEqual({ day: 'Tuesday', part: 'in the morning' });
    const result: HistoryItem = { kind: 'tool_result', id: call?.id ?? '', output: 'free at nine' };
    const called: readonly HistoryItem[] = call === undefined ? [] : [call, result];
    const second = await answerOf(model, requestOf(...asked, agent('Let me see.'), ...called));
    expect(textOf(second)).toBe('Nine is free.');
    expectExactUsage(endpoint, [...first, ...second]);
  });

  test.each([
    ['no words', []],
    ['the agent, who waits', [agent('Good morning.')]],
    ['two answers in a row', [callee('Hello?'), agent('Wait.'), agent('Let me see.'), callee('Yes?')]],
    ['an answer that nobody heard', [callee('Hello?'), agent(''), callee('Hello?')]],
    [
      'a call after an answer to silence',
      [
        agent('Good morning.'),
        agent('Are you there?'),
        { kind: 'tool_call', id: 'call_7', name: 'lookup', argumentsText: 'Tuesday' },
        { kind: 'tool_result', id: 'call_7', output: '' },
      ],
    ],
  ] satisfies readonly (readonly [string, readonly HistoryItem[]])[])(
    'takes a conversation of %s',
    async (_name, conversation) => {
      const events = await answerOf(endpoint.open(stage), requestOf(...conversation));
      expect(events.at(-1)).toEqual({ kind: 'over', outcome: 'completed' });
    },
  );

  test('says that an answer was cut at the limit of tokens, and calls no tool of which it knows a half', async () => {
    const model = endpoint.open(stage, { maxOutputTokens: 3 });
    const cut = await answerOf(model, HELLO);
    expect(textOf(cut).trim()).toBe('The café opens');
    expect(cut.at(-1)).toEqual({ kind: 'over', outcome: 'incomplete' });
    expectExactUsage(endpoint, cut);
    const half = await answerOf(endpoint.open(stage, { maxOutputTokens: 4 }), requestOf(callee('A slot?')));
    expect(half.filter(({ kind }) => kind === 'tool_call')).toHaveLength(endpoint.provider === 'google' ? 1 : 0);
  });

  test.each([
    ['401', 'rejected', null],
    ['429', 'rate_limited', 1_000],
    ['503', 'unreachable', null],
  ] as const)('is refused with %s: %s', async (model, kind, retryAfterMs) => {
    const events = await answerOf(endpoint.open(stage, { model }), HELLO);
    expect(events).toMatchObject([{ kind: 'failed', failure: { component: 'llm', kind, retryAfterMs } }]);
  });

  test('says of what it will not take that the request is at fault', async () => {
    const unnamed = { ...HELLO, tools: [{ name: 'not a name', description: '', parameters: { type: 'object' } }] };
    const events = await answerOf(endpoint.open(stage), unnamed);
    expect(events).toMatchObject([{ kind: 'failed', failure: { kind: 'rejected' } }]);
    const wrongKey = await answerOf(endpoint.open(stage, { credential: 'sk-live-4711' }), HELLO);
    expect(wrongKey).toMatchObject([{ kind: 'failed', failure: { kind: 'rejected' } }]);
    expect(JSON.stringify(wrongKey)).not.toContain('4711');
  });

  test.each([
    ['drop-after-2-deltas', 'dropped', 'The café'],
    ['close-1000', 'dropped', 'The'],
    ['error-event', 'dropped', 'The'],
    ['garbage-json', 'invalid_response', ''],
  ] as const)('%s is the provider’s fault, and what was written is counted', async (model, kind, written) => {
    const events = await answerOf(endpoint.open(stage, { model }), HELLO);
    expect(textOf(events).trim()).toBe(written);
    expect(events.at(-1)).toMatchObject({ kind: 'failed', failure: { kind } });
    await expect.poll(() => billed(endpoint, 'input_text_token')).toBeGreaterThan(0);
    expectEstimate(endpoint, events);
  });

  test('reads nothing from an empty answer, and every character that arrives in halves', async () => {
    const empty = await answerOf(endpoint.open(stage, { model: 'empty' }), HELLO);
    expect(textOf(empty)).toBe('');
    expect(empty.at(-1)).toEqual({ kind: 'over', outcome: 'completed' });
    expect(textOf(await answerOf(endpoint.open(stage, { model: 'half-utf8' }), HELLO))).toBe(SAID);
  });

  test('ends in the middle of an answer when it is canceled, counts it, and the provider stops', async () => {
    const events: LanguageModelEvent[] = [];
    await stage.close();
    stage = await CascadeStage.open({ script: SCRIPT, timings: { tokenMs: 100 } });
    const model = endpoint.open(stage);
    await new Promise<void>((resolve) => {
      const generation = model.answer(HELLO, (event) => {
        events.push(event);
        if (event.kind !== 'text') return;
        generation.cancel();
        resolve();
      });
    });
    await expect.poll(() => billed(endpoint, 'output_text_token')).toBeGreaterThan(0);
    expect(billed(endpoint, 'output_text_token')).toBeLessThan(Math.ceil(SAID.length / 4));
    expect(events.map(({ kind }) => kind)).toEqual(['text', 'usage']);
    expectEstimate(endpoint, events);
  });
});

// Anthropic's protocol has the usage in every answer.
test.each(ENDPOINTS.filter(({ provider }) => provider !== 'anthropic'))(
  '$name: what the provider does not report is estimated',
  async (endpoint) => {
    const events = await answerOf(endpoint.open(stage, { model: 'no-usage' }), HELLO);
    expect(events.at(-1)).toEqual({ kind: 'over', outcome: 'completed' });
    expectEstimate(endpoint, events);
  },
);
