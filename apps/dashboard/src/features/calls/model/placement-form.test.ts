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
const nowMs = new Date('2026-11-28T08:00:00').getTime();
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
  expect(readPlacement(filled, agent, nowMs).body).toEqual({
    to_number: '+12025550100',
    agent_id: AGENT_ID,
    variables: { name: 'Zoë' },
  });
});

test('each missing or invalid field has a message', () => {
  const { errors } = readPlacement(
    { ...filled, agent_id: '', to_number: 'Zoë', variables: {}, max_duration_seconds: 4 },
    agent,
    nowMs,
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
  const { errors } = readPlacement({ ...filled, variables: {} }, asking, nowMs);
  expect(errors).toEqual(
    Object.fromEntries(names.map((name) => [`variables.${name}`, 'Required by the agent’s script'])),
  );
  const variables = { constructor: 'Zoë', toString: 'Ann' };
  expect(readPlacement({ ...filled, variables }, asking, nowMs).body?.variables).toEqual(variables);
});

test('variables of the repeated call are shown even if the script does not need them', () => {
  expect(variableNames(agent, { ...filled, variables: { day: 'Monday', name: 'Zoë' } })).toEqual(['name', 'day']);
});

test('the request says when to call and whether to try again', () => {
  const retry = { ...filled.retry, is_on: true, max_attempts: 2 };
  const later = { ...filled, when: 'later' as const, scheduled_for: '2026-11-30T09:00', retry };
  expect(readPlacement(later, agent, nowMs).body).toMatchObject({
    scheduled_for: expect.stringMatching(/^2026-11-30T09:00:00[+-]/),
    retry: { max_attempts: 2, on: ['busy', 'no_answer', 'carrier_unavailable'] },
  });
  const { errors } = readPlacement({ ...later, to_number: '', scheduled_for: '2026-11-20T09:00' }, agent, nowMs);
  expect(Object.keys(errors ?? {}).toSorted()).toEqual(['scheduled_for', 'to_number']);
});

test('the callee’s time zone is sent if it is given', () => {
  const body = readPlacement({ ...filled, callee_time_zone: ' America/Denver ' }, agent, nowMs).body;
  expect(body?.callee_time_zone).toBe('America/Denver');
});
