import {
  createEvaluationSchema,
  evaluationEnvelopeSchema,
  evaluationListSchema,
  evaluationSummarySchema,
  saveScenariosSchema,
  scenarioSchema,
  scenariosEnvelopeSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

const SCENARIO = scenarioSchema.parse({
  name: 'Wants another day',
  persona: {
    kind: 'model',
    prompt: 'You are Ana. Tuesday does not suit you, and you want a visit on Wednesday. You are in a hurry.',
  },
  variables: { name: 'Ana', day: 'Tuesday' },
  criteria: [{ criteria: 'The agent offers a visit on Wednesday and repeats its time.' }],
  tool_results: { find_free_slots: '{"free_slots": ["10:00"]}' },
  max_turns: 8,
});

const SUMMARY = evaluationSummarySchema.parse({
  id: '01991f41-2c3d-7e4f-8a5b-6c7d8e9f0a1b',
  agent_id: '01991f3e-0b1c-7d2e-8f30-415263748596',
  agent_version: 3,
  status: 'ended',
  verdict: 'passed',
  counts: { scenarios: 1, passed: 1, failed: 0, errored: 0 },
  llm: { provider: 'openai', model: 'gpt-5-mini' },
  cost: 0.0042,
  currency: 'USD',
  created_at: '2026-11-20T15:00:00.000Z',
  ended_at: '2026-11-20T15:00:24.310Z',
});

const RUN = {
  scenario: SCENARIO,
  status: 'ended',
  verdict: 'passed',
  problem: null,
  ended_reason: 'persona_hangup',
  judgments: [
    {
      criteria: 'The agent offers a visit on Wednesday and repeats its time.',
      passed: true,
      value: true,
      reason: 'The agent offered ten o’clock on Wednesday and repeated it.',
    },
  ],
  transcript: [
    { kind: 'agent', text: 'Hello Ana, does your visit on Tuesday still suit you?' },
    { kind: 'callee', text: 'No. Wednesday, please.' },
    {
      kind: 'tool',
      name: 'find_free_slots',
      arguments: { day: 'Wednesday' },
      result: '{"free_slots": ["10:00"]}',
      outcome: 'ok',
    },
    { kind: 'agent', text: 'Wednesday at ten is free. Shall I note Wednesday at ten?' },
    { kind: 'callee', text: 'Yes, thank you. Goodbye.' },
  ],
  cost: 0.0042,
  started_at: '2026-11-20T15:00:01.120Z',
  ended_at: '2026-11-20T15:00:24.310Z',
};

/** Complete example bodies of evaluations, by the schema that each of them matches. */
export const EVALUATION_EXAMPLES: readonly (readonly [z.ZodType, unknown])[] = [
  [createEvaluationSchema, { version: 3, scenarios: [SCENARIO] }],
  [saveScenariosSchema, { scenarios: [SCENARIO] }],
  [scenariosEnvelopeSchema, { scenarios: [SCENARIO] }],
  [evaluationEnvelopeSchema, { evaluation: { ...SUMMARY, runs: [RUN] } }],
  [evaluationListSchema, { evaluations: [SUMMARY], has_more: false, next_cursor: null }],
];
