import { z } from 'zod';
import { llmChoiceSchema } from './agent-settings/llm.ts';
import { createCallSchema } from './create-call.ts';
import { agentIdSchema, evaluationIdSchema } from './ids.ts';
import { pageCursor, pageLimit } from './page-query.ts';
import { storableText } from './text.ts';

/** The bounds of evaluations: conversations of an agent with simulated callees. */
export const EVALUATION_LIMITS = {
  scenarios: 20,
  criteria: 10,
  lines: 30,
  rules: 20,
  toolResults: 20,
  turns: { max: 30, default: 10 },
  nameLength: 100,
  textLength: 2_000,
  promptLength: 4_000,
  /** Evaluations of an account that are not over. */
  open: 3,
  /** Conversations of an account at once. */
  running: 2,
  /** Conversations that an account begins in a day. */
  runsPerDay: 400,
  /** Of one conversation. */
  conversationSeconds: 300,
  /** Of a conversation and its judgment. */
  seconds: 900,
} as const;

const L = EVALUATION_LIMITS;
const words = (maxLength: number) =>
  storableText.trim().min(1, 'must not be empty').max(maxLength, `must be at most ${maxLength} characters`);

const personaRule = z.strictObject({
  when: words(200).describe('Words of the agent, whatever their case and punctuation.'),
  say: words(L.textLength).describe('What the persona then says instead of its next line. Each rule is used once.'),
});

const personaLlm = z.strictObject(llmChoiceSchema.shape);

export const personaSchema = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('scripted'),
      lines: z
        .array(words(L.textLength))
        .max(L.lines, `must have at most ${L.lines} lines`)
        .default([])
        .describe('Said in order, one after each turn of the agent. After the last one the persona hangs up.'),
      rules: z.array(personaRule).max(L.rules, `must have at most ${L.rules} rules`).default([]),
    })
    .refine(({ lines, rules }) => lines.length + rules.length > 0, {
      path: ['lines'],
      error: 'must have a line or a rule',
    }),
  z.strictObject({
    kind: z.literal('model'),
    prompt: words(L.promptLength).describe('Who the person is, what the person wants, and how the person talks.'),
    llm: personaLlm.optional().describe('The model that plays the person. If omitted: the model that judges.'),
  }),
]);
export type Persona = z.output<typeof personaSchema>;

export const criterionSchema = z
  .strictObject({
    criteria: words(L.promptLength).describe('What the conversation must show. `{{name}}` stands for a variable.'),
    scale: z.enum(['boolean', '1-10']).default('boolean').describe('As in the analysis of a call.'),
    passes_from: z
      .int('must be a whole number from 1 to 10')
      .min(1, 'must be at least 1')
      .max(10, 'must be at most 10')
      .optional()
      .describe('With the scale `1-10`: the lowest grade that passes; default 7.'),
  })
  .refine(({ scale, passes_from: from }) => scale === '1-10' || from === undefined, {
    path: ['passes_from'],
    error: 'needs the scale 1-10',
  });
export type Criterion = z.output<typeof criterionSchema>;

/** Of the scale 1-10. */
export const PASSES_FROM = 7;

export const scenarioSchema = z.strictObject({
  name: words(L.nameLength).describe('Shown in the report. Each scenario has another name.'),
  persona: personaSchema.describe('The simulated callee.'),
  variables: createCallSchema.shape.variables,
  criteria: z
    .array(criterionSchema)
    .min(1, 'must have at least one criterion')
    .max(L.criteria, `must have at most ${L.criteria} criteria`)
    .optional()
    .describe('All must be met. If omitted: the success criteria of the agent’s analysis.'),
  tool_results: z
    .record(z.string(), storableText.max(4_000, 'must be at most 4000 characters'))
    .refine((results) => Object.keys(results).length <= L.toolResults, `must have at most ${L.toolResults} tools`)
    .default({})
    .describe(
      'By the name of an HTTP or MCP tool: what the agent reads as its result. Tools are not called; without a result here, the agent reads that the action was simulated.',
    ),
  max_turns: z
    .int(`must be a whole number from 1 to ${L.turns.max}`)
    .min(1, 'must be at least 1')
    .max(L.turns.max, `must be at most ${L.turns.max}`)
    .default(L.turns.default)
    .describe(`How often the persona speaks at most; default ${L.turns.default}.`),
});
export type Scenario = z.output<typeof scenarioSchema>;
export const storedScenariosSchema = z.array(scenarioSchema);

const scenarioList = z
  .array(scenarioSchema)
  .max(L.scenarios, `must have at most ${L.scenarios} scenarios`)
  .superRefine((scenarios, context) => {
    for (const [index, { name }] of scenarios.entries()) {
      if (scenarios.findIndex((other) => other.name === name) < index) {
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'must differ from the names before it' });
      }
    }
  });

/** The model that judges: one that analyses can use. */
export const evaluationLlmSchema = z.strictObject({
  ...llmChoiceSchema.shape,
  provider: z.enum(['openai', 'openai_compatible', 'local']),
  max_output_tokens: z.int().min(64).max(4_000).default(1_000),
});
export type EvaluationLlm = z.output<typeof evaluationLlmSchema>;

export const createEvaluationSchema = z.strictObject({
  version: z.int().min(1).max(2_147_483_647).optional().describe('The saved version. If omitted: the current one.'),
  scenarios: scenarioList
    .min(1, 'must have at least one scenario')
    .optional()
    .describe(`1 to ${L.scenarios} conversations. If omitted: the scenarios that are saved with the agent.`),
  llm: evaluationLlmSchema
    .optional()
    .describe(
      'The model that judges, and that plays the personas without a model. If omitted: that of the agent’s analysis.',
    ),
});
export type CreateEvaluationBody = z.output<typeof createEvaluationSchema>;

export const saveScenariosSchema = z.strictObject({
  scenarios: scenarioList.describe('All scenarios of the agent. An empty list removes them.'),
});
export const scenariosEnvelopeSchema = z.strictObject({
  scenarios: z.array(scenarioSchema).describe('In the order in which they were saved.'),
});

export const EVALUATION_STATUSES = ['waiting', 'running', 'ended', 'cancelled'] as const;
export const VERDICTS = ['passed', 'failed', 'errored'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How the conversation with a persona ended. */
export const RUN_END_REASONS = ['agent_hangup', 'persona_hangup', 'max_turns', 'time_over'] as const;
export type RunEndReason = (typeof RUN_END_REASONS)[number];

/** Why a run has no judgment. */
export const RUN_PROBLEMS = {
  insufficient_funds: 'The balance does not cover this conversation.',
  no_credential: 'No credential for one of its models can be used.',
  provider_unavailable: 'A provider did not answer, or failed.',
  provider_rejected: 'A provider rejected the request: check the credential and the name of the model.',
  answer_unusable: 'The judgment did not fit, also after a correction.',
  settings_unusable: 'The agent’s settings can no longer be used: save them again.',
  not_started: 'No line of a model was free in time.',
  worker_lost: 'The worker that conducted it is gone.',
  cancelled: 'The evaluation was cancelled.',
} as const;
export type RunProblem = keyof typeof RUN_PROBLEMS;

function isRunProblem(text: string): text is RunProblem {
  return Object.hasOwn(RUN_PROBLEMS, text);
}
export const runProblems: readonly RunProblem[] = Object.keys(RUN_PROBLEMS).filter(isRunProblem);

/** One thing that was said or done. */
export const runLineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('agent'), text: z.string() }),
  z.strictObject({ kind: z.literal('callee'), text: z.string() }),
  z.strictObject({
    kind: z.literal('tool'),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    result: z.string().nullable(),
    outcome: z.enum(['ok', 'failed', 'refused']),
  }),
]);
export type RunLine = z.output<typeof runLineSchema>;
export const runLinesSchema = z.array(runLineSchema);

export const judgmentSchema = z.strictObject({
  criteria: z.string().describe('What was judged.'),
  passed: z.boolean().describe('Whether the conversation meets it.'),
  value: z.union([z.boolean(), z.int().min(1).max(10)]).describe('True or false, or 1 to 10, as the criterion asks.'),
  reason: z.string().describe('Why, in a sentence.'),
});
export type Judgment = z.output<typeof judgmentSchema>;
export const judgmentsSchema = z.array(judgmentSchema);

const timestamp = z.iso.datetime({ precision: 3 });
const amount = z.number();

export const evaluationRunSchema = z.strictObject({
  scenario: scenarioSchema.describe('As it was when the evaluation began.'),
  status: z.enum(['waiting', 'running', 'ended']).describe('`waiting` until a worker has begun.'),
  verdict: z.enum(VERDICTS).nullable().describe('`errored`: it could not be judged. Null until it has ended.'),
  problem: z.enum(runProblems).nullable().describe('Why it is `errored`. Null otherwise.'),
  ended_reason: z.enum(RUN_END_REASONS).nullable().describe('How the conversation ended. Null: it did not take place.'),
  judgments: z.array(judgmentSchema).describe('By criterion. Empty without a judgment.'),
  transcript: z.array(runLineSchema).describe('What both sides said, and the tools of the agent, in order.'),
  cost: amount.describe('So far, in the account’s currency; final once it has ended.'),
  started_at: timestamp.nullable().describe('When a worker began it.'),
  ended_at: timestamp.nullable().describe('When it ended.'),
});
export type EvaluationRunBody = z.output<typeof evaluationRunSchema>;

export const evaluationSummarySchema = z.strictObject({
  id: evaluationIdSchema.describe('Identifies the evaluation.'),
  agent_id: agentIdSchema.describe('The agent.'),
  agent_version: z.int().describe('Its version.'),
  status: z.enum(EVALUATION_STATUSES).describe('`ended` once all conversations have.'),
  verdict: z
    .enum(VERDICTS)
    .nullable()
    .describe(
      '`failed` if one conversation failed, else `errored` if one could not be judged. Null until all have ended.',
    ),
  counts: z
    .strictObject({ scenarios: z.int(), passed: z.int(), failed: z.int(), errored: z.int() })
    .describe('Conversations by verdict.'),
  llm: evaluationLlmSchema.describe('The model that judges.'),
  cost: amount.describe('Of all conversations so far.'),
  currency: z.string().describe('Of the account.'),
  created_at: timestamp.describe('When it was requested.'),
  ended_at: timestamp.nullable().describe('When its last conversation ended.'),
});
export type EvaluationSummaryBody = z.output<typeof evaluationSummarySchema>;
export const evaluationSchema = evaluationSummarySchema.extend({
  runs: z.array(evaluationRunSchema).describe('One for each scenario, in order.'),
});
export type EvaluationBody = z.output<typeof evaluationSchema>;
export const evaluationEnvelopeSchema = z.strictObject({ evaluation: evaluationSchema.describe('The evaluation.') });

export const listEvaluationsQuerySchema = z.strictObject({ limit: pageLimit('Evaluations'), cursor: pageCursor });
export const evaluationListSchema = z.strictObject({
  evaluations: z.array(evaluationSummarySchema).describe('Newest first.'),
  has_more: z.boolean().describe('Whether there is another page.'),
  next_cursor: z.string().nullable().describe('Pass it as `cursor` to get the next page. Null: this is the last page.'),
});
