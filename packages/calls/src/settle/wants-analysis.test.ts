import { agentSettingsSchema, type Turn } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { wantsAnalysis } from './wants-analysis.ts';

const conducted = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
};
const analysis = { summary: {}, llm: { provider: 'openai', model: 'gpt-5-mini' } };
const usable = (settings: object) => ({ kind: 'usable', settings: agentSettingsSchema.parse(settings) }) as const;
const turn = (role: Turn['role'], text: string | null): Turn => ({
  role,
  text,
  start_ms: 0,
  end_ms: 400,
  source: 'stt',
  interrupted: false,
});
const SPOKEN = [turn('agent', 'Hello.'), turn('callee', 'Yes.')];

test('a call is analyzed if its agent asks for it and the callee said something', () => {
  expect(wantsAnalysis(usable({ ...conducted, analysis }), SPOKEN)).toBe(true);
});

test.each([
  ['the agent does not ask for it', usable(conducted), SPOKEN],
  ['the agent follows a script', usable({ name: 'Plain', first_message: 'Hello.' }), SPOKEN],
  ['the settings cannot be read', { kind: 'unusable', problem: 'name: is missing' } as const, SPOKEN],
  ['nobody spoke', usable({ ...conducted, analysis }), null],
  ['the agent alone spoke', usable({ ...conducted, analysis }), [turn('agent', 'Hello.')]],
  ['no word of the callee is known', usable({ ...conducted, analysis }), [turn('callee', null), turn('callee', ' ')]],
])('a call is not analyzed if %s', (_, settings, transcript) => {
  expect(wantsAnalysis(settings, transcript)).toBe(false);
});
