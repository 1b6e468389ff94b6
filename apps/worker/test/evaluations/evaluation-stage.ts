import { randomUUID } from 'node:crypto';
import { createChatCompletions } from '@outdial/analysis';
import {
  evaluationIdSchema,
  evaluationLlmSchema,
  evaluationRunIdSchema,
  micros,
  reservationIdSchema,
  scenarioSchema,
  type AccountId,
  type AgentId,
  type EvaluationId,
  type EvaluationRunId,
} from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { createEvaluationStore } from '@outdial/persistence';
import type { Role, Script } from '@outdial/simulated-providers';
import { createModelPersonas } from '../../src/evaluations/model-persona.ts';
import { EVALUATION_TIMINGS, type EvaluationDeps, type EvaluationTimings } from '../../src/evaluations/ports.ts';
import { runEvaluationRun, sweepEvaluations } from '../../src/evaluations/run-evaluation.ts';
import { createTextMinds } from '../../src/tries/open-text-mind.ts';
import { CASCADE, openTryStage, PRICE_MICROS_PER_MILLION } from '../tries/try-stage.ts';

const verdict = (value: boolean | number, reason: string) => ({ say: JSON.stringify({ success: { reason, value } }) });

const PATIENT: Role = {
  instructions: /You play a person/,
  opening: { say: 'Hello?' },
  rules: [
    { when: /slot at nine/, say: 'I take it. Goodbye.', tool: { name: 'hang_up', arguments: {} } },
    { when: /practice/, say: 'Do you have a slot on Tuesday?' },
  ],
  otherwise: { say: 'I see.' },
};
const JUDGE: Role = {
  instructions: /You analyze telephone calls/,
  opening: verdict(false, 'Nothing was said.'),
  rules: [{ when: /slot at nine/, ...verdict(true, 'The agent offered nine o’clock.') }],
  otherwise: verdict(false, 'The agent offered no slot.'),
};
const STRICT_JUDGE: Role = { ...JUDGE, instructions: /from 1/, rules: [], otherwise: verdict(6, 'It was polite.') };
/** An agent that offers what its tool knows; with the instruction to be of no help, it offers nothing. */
const SCRIPT: Script = {
  opening: { say: 'Hello, this is the dental practice.' },
  rules: [
    { when: /9:00/, say: 'There is a slot at nine.' },
    { when: /Tuesday/, tool: { name: 'free_slots', arguments: { day: 'Tuesday' } } },
    { when: /bye/, say: 'Goodbye.', tool: { name: 'end_call', arguments: { reason: 'done' } } },
    { when: /somebody else/, tool: { name: 'transfer', arguments: { destination: 'desk' } } },
  ],
  otherwise: { say: 'Could you say that again?' },
  roles: [
    PATIENT,
    STRICT_JUDGE,
    JUDGE,
    {
      instructions: /of no help/,
      opening: { say: 'Hello.' },
      rules: [{ when: /forever/, say: 'Wait.', delayMs: 60_000 }],
      otherwise: { say: 'We are closed. Call the practice again.' },
    },
  ],
};

const LLM = evaluationLlmSchema.parse({ provider: 'openai', model: 'gpt-simulated' });
const HELPFUL = 'You call patients of a dental practice.';
export const USELESS = 'You are of no help.';
const OFFERS = { criteria: 'The agent offers a slot.' };
/** A patient whom a model plays. */
export const PATIENT_SCENARIO = {
  name: 'Patient',
  persona: { kind: 'model', prompt: 'You are {{name}}, and want an appointment on Tuesday.' },
  variables: { name: 'Anna' },
  criteria: [OFFERS],
  tool_results: { free_slots: '{"slots": ["9:00"]}' },
};
export const scripted = (lines: readonly string[], more: object = {}) => ({
  name: 'Scripted',
  persona: { kind: 'scripted', lines },
  variables: { name: 'Anna' },
  criteria: [OFFERS],
  ...more,
});

export interface EvaluationOptions {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly scenarios: readonly object[];
  /** Roles whose credential is the account's own, of agent, judge and persona. */
  readonly own?: readonly number[];
  readonly holdMicros?: bigint;
}

export type EvaluationStage = Awaited<ReturnType<typeof openEvaluationStage>>;

export async function openEvaluationStage(options: { readonly lines?: number } = {}) {
  const stage = await openTryStage({ lines: 8, ...options, script: SCRIPT });
  const { database, deps, egress, connections } = stage;
  const store = createEvaluationStore(database);
  const queued: EvaluationRunId[] = [];
  // The test's provider is on loopback, where only the operator's credentials lead.
  const reachable = {
    ...connections,
    openSocket: () => connections.openSocket('allow_list'),
    fetch: () => connections.fetch('allow_list'),
  };
  const openJudge = createChatCompletions(egress);
  const evaluation: EvaluationDeps = {
    ...deps,
    openMind: createTextMinds(reachable),
    evaluations: store,
    queue: { add: async (runs) => void queued.push(...runs) },
    openModelPersona: createModelPersonas(reachable),
    openJudge: (choice, credential) => openJudge(choice, credential, false),
    pace: EVALUATION_TIMINGS,
  };
  const withPace = (pace: Partial<EvaluationTimings>): EvaluationDeps => ({
    ...evaluation,
    pace: { ...EVALUATION_TIMINGS, ...pace },
  });
  const run = (
    runId: EvaluationRunId,
    pace: Partial<EvaluationTimings> = {},
    stopping = new AbortController().signal,
  ) => runEvaluationRun(withPace(pace), runId, stopping);

  return {
    ...stage,
    evaluations: store,
    queued,
    run,
    sweepRuns: () => sweepEvaluations(evaluation),
    account: async ({
      instructions = HELPFUL,
      ...more
    }: { readonly instructions?: string; readonly balanceMicros?: bigint } = {}) =>
      stage.account({ ...more, settings: { ...CASCADE, instructions } }),
    async begin({ accountId, agentId, scenarios, own = [], holdMicros = 50_000_000n }: EvaluationOptions) {
      const of = { component: 'llm', provider: 'openai', model: LLM.model } as const;
      const units = ['input_text_token', 'cached_input_text_token', 'output_text_token'] as const;
      const evaluationId = evaluationIdSchema.parse(randomUUID());
      const runs = scenarios.map((given) => {
        const scenario = scenarioSchema.parse(given);
        const roles = scenario.persona.kind === 'model' ? [0, 1, 2] : [0, 1];
        const { credentialId } = stage;
        return {
          runId: evaluationRunIdSchema.parse(randomUUID()),
          scenario,
          driver: 'cascade' as const,
          models: roles.map((role) => ({ ...of, credentialId, isOwn: own.includes(role), isFallback: false })),
          rates: units.map((unit) => ({ ...of, unit, priceMicrosPerMillion: micros(PRICE_MICROS_PER_MILLION) })),
          holdMicros: micros(holdMicros),
          reservationId: reservationIdSchema.parse(randomUUID()),
        };
      });
      const begun = await store.begin({
        evaluationId,
        accountId,
        agentId,
        agentVersion: 1,
        llm: LLM,
        runs,
        idempotency: null,
      });
      invariant(begun.kind === 'begun', `the evaluation begins, and is not ${begun.kind}`);
      return { evaluationId, runs: runs.map(({ runId }) => runId) };
    },
    async show(accountId: AccountId, agentId: AgentId, evaluationId: EvaluationId) {
      const found = await store.find({ accountId, agentId, evaluationId });
      invariant(found, 'the evaluation exists');
      return found;
    },
  };
}
