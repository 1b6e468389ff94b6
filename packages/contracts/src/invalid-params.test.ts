import { expect, test } from 'vitest';
import { agentSettingsSchema } from './agent-settings/index.ts';
import { invalidParams } from './invalid-params.ts';

const problemsOf = (settings: object) => {
  const { error } = agentSettingsSchema.safeParse(settings);
  return error === undefined ? [] : invalidParams(error, settings);
};

const AGENT = {
  driver: 'realtime',
  name: 'A',
  instructions: 'Talk.',
  model: { provider: 'openai', model: 'gpt-realtime-2.1' },
};

test('a field that chooses between shapes names its values', () => {
  expect(problemsOf({ ...AGENT, driver: 'robot' })).toEqual([
    { param: 'driver', message: 'must be one of scripted, realtime, cascade' },
  ]);
  expect(problemsOf({ ...AGENT, tools: [{ type: 'fax', name: 'fax', description: 'Sends a fax.' }] })).toEqual([
    {
      param: 'tools.0.type',
      message: 'must be one of end_call, press_digits, leave_voicemail, transfer_call, http, mcp',
    },
  ]);
});
