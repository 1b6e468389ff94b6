import { realtimeSettingsSchema } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { callTools, toolsForModel } from './call-tools.ts';

const settingsWith = (changes: object) =>
  realtimeSettingsSchema.parse({
    driver: 'realtime',
    name: 'Appointment',
    instructions: 'You remind people of a visit.',
    model: { provider: 'openai', model: 'gpt-realtime' },
    ...changes,
  });
const namesWith = (changes: object) => [...callTools(settingsWith(changes)).keys()];
const http = (name: string) => ({ type: 'http', name, description: 'Asks.', url: 'https://example.com' });

test('a model may end the call and opt the callee out, and knows when', () => {
  expect(namesWith({})).toEqual(['end_call', 'opt_out']);
  const [, optOut] = toolsForModel(callTools(settingsWith({})), {});
  for (const words of ['not to be called again', 'stop calling', 'removed from a list', 'wrong number'])
    expect(optOut?.description).toContain(words);
});

test.each([
  ['the settings forbid it', { opt_out: { on_model: false } }, ['end_call']],
  ['a tool of the settings has its name', { tools: [http('opt_out')] }, ['opt_out', 'end_call']],
  ['the settings forbid it and the end', { opt_out: { on_model: false }, end_call: { on_model: false } }, []],
])('a model has no tool to opt out when %s', (_why, changes, names) => {
  expect(namesWith(changes)).toEqual(names);
  expect([...callTools(settingsWith(changes)).values()].filter(({ type }) => type === 'opt_out')).toEqual([]);
});

test('a model knows the destinations of a transfer by name, and no number', () => {
  const destinations = [
    { name: 'Sales', to_number: '+12025550142', description: '{{callee}} wants to buy.' },
    { name: 'Desk 2', to_number: 'sip:desk@pbx.example', description: 'All else.' },
  ];
  const tools = [{ type: 'transfer_call', name: 'transfer', description: 'Connects {{callee}}.', destinations }];
  const [tool] = toolsForModel(callTools(settingsWith({ tools })), { callee: 'Anna' });
  expect(tool).toMatchObject({
    description: 'Connects Anna.',
    parameters: {
      properties: {
        destination: {
          enum: ['Sales', 'Desk 2'],
          description: 'Whom to transfer the callee to.\nSales: Anna wants to buy.\nDesk 2: All else.',
        },
      },
      required: ['destination'],
    },
  });
  expect(JSON.stringify(tool)).not.toMatch(/2025550142|pbx/);
});

test('a model has the tools that an MCP server listed, word for word, and none of a server that was never asked', () => {
  const listed = {
    protocol_version: '2025-11-25',
    tools: ['slots', 'books'].map((name) => ({
      name: `crm_${name}`,
      server_name: name,
      description: 'Knows {{callee_number}}.',
      parameters: { type: 'object', properties: { day: { type: 'string' } } },
      idempotent: false,
    })),
  };
  const url = 'https://example.com/mcp';
  const settings = settingsWith({
    tools: [{ type: 'mcp', name: 'crm', url, listed }, http('free'), { type: 'mcp', name: 'other', url }],
  });
  const tools = toolsForModel(callTools(settings), { callee_number: '+12025550100' });
  expect(tools.map(({ name }) => name)).toEqual(['crm_slots', 'crm_books', 'free', 'end_call', 'opt_out']);
  expect(tools[0]).toEqual({
    name: 'crm_slots',
    description: 'Knows {{callee_number}}.',
    parameters: { type: 'object', properties: { day: { type: 'string' } } },
  });
});
