import { agentSummarySchema, type AgentSummaryBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { readPlacement, startValues, variableNames, type PlacementValues } from './placement-form.ts';

const AGENT_ID = '01991f3e-0b1c-7d2e-8f30-415263748596';
const agent: AgentSummaryBody = agentSummarySchema.parse({
  id: AGENT_ID,
  name: 'Reminder',
  version: 1,
  owned: true,
  voice: null,
  problem: null,
  required_variables: ['name'],
  created_at: '2026-11-20T14:26:00.123Z',
});
const filled: PlacementValues = {
  ...startValues({ agents: [agent], numbers: [] }),
  to_number: '+1 (202) 555-0100',
  variables: { name: 'Zoë' },
};

test('the one agent there is, is chosen', () => {
  expect(startValues({ agents: [agent], numbers: [] }).agent_id).toBe(AGENT_ID);
  expect(startValues({ agents: [], numbers: [], agentId: AGENT_ID }).agent_id).toBe('');
});

test('what is left empty is left out of the request', () => {
  expect(readPlacement(filled, agent).body).toEqual({
    to_number: '+12025550100',
    agent_id: AGENT_ID,
    variables: { name: 'Zoë' },
  });
});

test('each field that is missing or wrong is named, in words', () => {
  const { errors } = readPlacement(
    { ...filled, agent_id: '', to_number: 'Zoë', variables: {}, max_duration_seconds: 4 },
    agent,
  );
  expect(errors).toEqual({
    agent_id: 'Choose who is to call',
    to_number: 'A number with its country code, such as +1 202 555 0143',
    max_duration_seconds: 'Must be at least 5',
    'variables.name': 'The agent says this: fill it in',
  });
});

test('a variable may be called what every object has a member of', () => {
  const names = ['constructor', 'toString'];
  const asking = { ...agent, required_variables: names };
  const { errors } = readPlacement({ ...filled, variables: {} }, asking);
  expect(errors).toEqual(
    Object.fromEntries(names.map((name) => [`variables.${name}`, 'The agent says this: fill it in'])),
  );
  const variables = { constructor: 'Zoë', toString: 'Ann' };
  expect(readPlacement({ ...filled, variables }, asking).body?.variables).toEqual(variables);
});

test('variables that a call before had and the script does not need are asked for, too', () => {
  expect(variableNames(agent, { ...filled, variables: { day: 'Monday', name: 'Zoë' } })).toEqual(['name', 'day']);
});
