import { agentSummarySchema, type AgentSummaryBody } from '@outdial/contracts';
import { expect, test } from 'vitest';
import { readPlacement, startValues, variableNames, type PlacementValues } from './placement-form.ts';

const AGENT_ID = '01991f3e-0b1c-7d2e-8f30-415263748596';
const agent: AgentSummaryBody = agentSummarySchema.parse({
  id: AGENT_ID,
  name: 'Reminder',
  version: 1,
  owned: true,
  driver: 'scripted',
  problem: null,
  required_variables: ['name'],
  created_at: '2026-11-20T14:26:00.123Z',
});
const filled: PlacementValues = {
  ...startValues({ agents: [agent], numbers: [] }),
  to_number: '+1 (202) 555-0100',
  variables: { name: 'Zoë' },
};

test('a single agent is preselected', () => {
  expect(startValues({ agents: [agent], numbers: [] }).agent_id).toBe(AGENT_ID);
  expect(startValues({ agents: [], numbers: [], agentId: AGENT_ID }).agent_id).toBe('');
});

test('empty fields are omitted from the request', () => {
  expect(readPlacement(filled, agent).body).toEqual({
    to_number: '+12025550100',
    agent_id: AGENT_ID,
    variables: { name: 'Zoë' },
  });
});

test('each missing or invalid field has a message', () => {
  const { errors } = readPlacement(
    { ...filled, agent_id: '', to_number: 'Zoë', variables: {}, max_duration_seconds: 4 },
    agent,
  );
  expect(errors).toEqual({
    agent_id: 'Choose an agent',
    to_number: 'Enter a number with its country code, such as +1 202 555 0143',
    max_duration_seconds: 'Must be at least 5',
    'variables.name': 'Required by the agent’s script',
  });
});

test('a variable may have the name of an object’s built-in member', () => {
  const names = ['constructor', 'toString'];
  const asking = { ...agent, required_variables: names };
  const { errors } = readPlacement({ ...filled, variables: {} }, asking);
  expect(errors).toEqual(
    Object.fromEntries(names.map((name) => [`variables.${name}`, 'Required by the agent’s script'])),
  );
  const variables = { constructor: 'Zoë', toString: 'Ann' };
  expect(readPlacement({ ...filled, variables }, asking).body?.variables).toEqual(variables);
});

test('variables of the repeated call are shown even if the script does not need them', () => {
  expect(variableNames(agent, { ...filled, variables: { day: 'Monday', name: 'Zoë' } })).toEqual(['name', 'day']);
});
