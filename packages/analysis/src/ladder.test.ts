import { agentSettingsSchema, type AnalysisSettings } from '@outdial/contracts';
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  type Arbitrary,
} from 'fast-check';
import { unreachable } from '@outdial/kernel';
import { describe, expect, it } from 'vitest';
import { climb } from './ladder.ts';
import { resultSchemaOf } from './result-schema.ts';
import { ANSWER_MODES, TextModelError, type AnswerMode, type TextModel, type TextRequest } from './text-model.ts';

const llm = { provider: 'openai', model: 'gpt-5-mini' };

function settingsOf(analysis: object): AnalysisSettings {
  const model = { provider: 'openai', model: 'gpt-realtime' };
  const all = { driver: 'realtime', name: 'A', instructions: 'Talk.', model, analysis: { llm, ...analysis } };
  const settings = agentSettingsSchema.parse(all);
  if (settings.driver === 'scripted' || !settings.analysis) throw new Error('no analysis');
  return settings.analysis;
}

const ASKED = settingsOf({
  summary: {},
  data: {
    type: 'object',
    properties: { day: { type: 'string', enum: ['monday', 'tuesday'] }, guests: { type: 'integer', minimum: 1 } },
    required: ['day'],
  },
  success: { criteria: 'The visit is confirmed.', scale: '1-10' },
});

/** A model that knows some modes, and gives these answers one after the other. */
function modelOf(known: readonly AnswerMode[], answers: readonly string[]) {
  const requests: TextRequest[] = [];
  let given = 0;
  const model: TextModel = {
    async complete(request) {
      requests.push(request);
      if (!known.includes(request.mode)) throw new TextModelError('mode_unsupported', 'unknown response_format');
      const text = answers[Math.min(given, answers.length - 1)] ?? '';
      given += 1;
      return { text, usage: { inputTokens: 100, cachedInputTokens: 10, outputTokens: text.length } };
    },
  };
  return { model, requests };
}

const messages = [
  { role: 'system', content: 'Analyze.' },
  { role: 'user', content: '<transcript></transcript>' },
] as const;
const SCHEMA = resultSchemaOf(ASKED);
const ask = (model: TextModel) => climb(model, messages, SCHEMA, new AbortController().signal);
const GOOD = { summary: 'She came.', data: { day: 'monday' }, success: { reason: 'She said yes.', value: 8 } };

const answer = record({
  day: constantFrom('monday', 'tuesday', 'sunday', null),
  guests: option(integer({ min: -2, max: 5 })),
  score: integer({ min: -1, max: 12 }),
  summary: array(constantFrom('a', '"', '\0', '\ud800', '🙂', '}', '`')).map((some) => some.join('')),
  extra: boolean(),
  shape: constantFrom('plain', 'fenced', 'talkative', 'cut', 'array'),
});
type Answer = typeof answer extends Arbitrary<infer Value> ? Value : never;

function written({ day, guests, score, summary, extra, shape }: Answer): string {
  const object = {
    summary,
    data: { day, guests },
    success: { reason: 'So.', value: score },
    ...(extra ? { mood: 1 } : {}),
  };
  const json = JSON.stringify(object);
  switch (shape) {
    case 'plain':
      return json;
    case 'fenced':
      return `\`\`\`json\n${json}\n\`\`\``;
    case 'talkative':
      return `Here you are: ${json} Anything else?`;
    case 'cut':
      return json.slice(0, -5);
    case 'array':
      return '[1, 2]';
    default:
      return unreachable(shape);
  }
}

/** Written apart from the schemas: what a usable answer is. */
function isUsable({ day, guests, score, extra, shape }: Answer): boolean {
  const fits = (day === 'monday' || day === 'tuesday') && (guests === null || guests >= 1) && score >= 1 && score <= 10;
  return fits && !extra && shape !== 'cut' && shape !== 'array';
}

describe('the ladder', () => {
  it('ends with a result that fits or with the text, after at most one correction, and adds up what it used', async () => {
    await assert(
      asyncProperty(answer, answer, integer({ min: 0, max: 2 }), async (first, second, lowest) => {
        const known = ANSWER_MODES.slice(lowest);
        const { model, requests } = modelOf(known, [written(first), written(second)]);
        const outcome = await ask(model);
        const answers = isUsable(first) ? [first] : [first, second];
        expect(requests.map(({ mode }) => mode)).toEqual([
          ...ANSWER_MODES.slice(0, lowest),
          ...answers.map(() => known[0]),
        ]);
        const last = answers.at(-1) ?? first;
        expect(outcome.kind).toBe(isUsable(last) ? 'answered' : 'unusable');
        const outputTokens = answers.reduce((sum, one) => sum + written(one).length, 0);
        expect(outcome.usage).toEqual({
          inputTokens: 100 * answers.length,
          cachedInputTokens: 10 * answers.length,
          outputTokens,
        });
        if (outcome.kind === 'unusable') expect(outcome.text).toBe(written(last));
        else {
          const guests = last.guests === null ? {} : { guests: last.guests };
          expect(outcome.result.data).toEqual({ day: last.day, ...guests });
          expect(outcome.result.success?.value).toBe(last.score);
          expect(outcome.result.summary).toBe(last.summary.replaceAll(/\0|\p{Surrogate}/gu, '�'));
        }
      }),
      { numRuns: 200 },
    );
  });

  it('shows the model its answer and what is wrong with it', async () => {
    const wrong = JSON.stringify({ ...GOOD, data: { day: 'sunday' } });
    const { model, requests } = modelOf(['json_schema'], [wrong, JSON.stringify(GOOD)]);
    expect(await ask(model)).toMatchObject({ kind: 'answered', result: GOOD });
    const [, , assistant, user] = requests[1]?.messages ?? [];
    expect(assistant).toEqual({ role: 'assistant', content: wrong });
    expect(user?.content).toContain('data.day');
  });

  it('puts the schema into the instructions where the provider does not hold the model to it', async () => {
    const { model, requests } = modelOf(['text'], [JSON.stringify(GOOD)]);
    await ask(model);
    const contents = requests.map(({ messages: sent }) => sent[0]?.content.includes('"guests"'));
    expect(contents).toEqual([false, true, true]);
    expect(requests.every(({ messages: sent }) => sent[1]?.content === messages[1].content)).toBe(true);
  });

  it('is rejected by a model that knows no mode', async () => {
    await expect(ask(modelOf([], []).model)).rejects.toMatchObject({ fault: 'rejected' });
  });
});

describe('the strict schema', () => {
  it('requires every field, allows no other, and lets those be null that the agent does not require', () => {
    expect(SCHEMA.strict).toMatchObject({
      required: ['summary', 'data', 'success'],
      additionalProperties: false,
      properties: {
        data: {
          required: ['day', 'guests'],
          additionalProperties: false,
          properties: { guests: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] } },
        },
      },
    });
  });
});

describe('the settings of an analysis', () => {
  it.each([
    ['nothing to find out', {}],
    ['a nested field', { data: { type: 'object', properties: { a: { type: 'object' } } } }],
    [
      'a pattern, which may take for ever',
      { data: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } } },
    ],
    [
      'a required field that is none',
      { data: { type: 'object', properties: { a: { type: 'string' } }, required: ['b'] } },
    ],
    [
      'a thirty-third field',
      {
        data: {
          type: 'object',
          properties: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`f${index}`, { type: 'string' }])),
        },
      },
    ],
  ])('are rejected with %s', (_, analysis) => {
    expect(() => settingsOf(analysis)).toThrow('analysis');
  });
});
