import { describe, expect, it } from 'vitest';
import { agentSettingsSchema, settingsProblems } from './index.ts';

const object = (properties: object, rest = {}) => ({ type: 'object', properties, ...rest });

function problemsOf({ parameters = {}, headers = {} }: { parameters?: object; headers?: object }) {
  const settings = agentSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    tools: [
      { type: 'end_call', name: 'end_call', description: 'Ends the call.' },
      {
        type: 'http',
        name: 'slots',
        description: 'Finds slots.',
        url: 'https://example.com',
        headers,
        parameters: { type: 'object', ...parameters },
      },
    ],
  });
  return settingsProblems(settings);
}
const paramsOf = (input: Parameters<typeof problemsOf>[0]) => problemsOf(input).map(({ param }) => param);

describe('settings have no problem', () => {
  it.each([
    ['without schemas', {}],
    [
      'with nested parameters of a tool',
      { parameters: object({ list: { type: 'array', items: object({ a: { type: 'string' } }) } }) },
    ],
    [
      'with a field named like a keyword',
      { parameters: object({ pattern: { type: 'string' }, $ref: { type: 'string' } }) },
    ],
    [
      'with data that looks like a keyword',
      { parameters: object({ a: { const: { $ref: 'x' }, default: { pattern: '(' } } }).properties },
    ],
    ['with secrets in headers', { headers: { Authorization: 'Bearer {{secret.CRM_TOKEN}}' } }],
  ])('%s', (_what, input) => {
    expect(problemsOf(input)).toEqual([]);
  });
});

describe('settings have a problem at its path', () => {
  it.each([
    ['an unknown type', 'tools.1.parameters.properties.day', { parameters: object({ day: { type: 'date' } }) }],
    ['a property that is no schema', 'tools.1.parameters.properties.day', { parameters: object({ day: 'string' }) }],
    ['properties that are no object', 'tools.1.parameters.properties', { parameters: { properties: ['day'] } }],
    [
      'a required name without a property',
      'tools.1.parameters.required',
      { parameters: object({}, { required: ['day'] }) },
    ],
    [
      'a pattern',
      'tools.1.parameters.properties.day',
      { parameters: object({ day: { type: 'string', pattern: '^(a+)+$' } }) },
    ],
    [
      'a nested pattern',
      'tools.1.parameters.properties.day',
      { parameters: object({ day: { anyOf: [{ type: 'string', pattern: 'a' }] } }) },
    ],
    ['a reference', 'tools.1.parameters.properties.day', { parameters: object({ day: { $ref: '#' } }) }],
    ['a condition', 'tools.1.parameters', { parameters: object({}, { if: {} }) }],
    ['an incomplete secret', 'tools.1.headers.X-Key', { headers: { 'X-Key': '{{secret.crm}}' } }],
    ['a variable in a header', 'tools.1.headers.X-Key', { headers: { 'X-Key': '{{name}}' } }],
  ])('for %s', (_what, param, input) => {
    expect(paramsOf(input)).toEqual([param]);
  });
});
