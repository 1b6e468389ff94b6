import { randomUUID } from 'node:crypto';
import { planModels, type ModelDirectories } from '@outdial/calls';
import {
  evaluationRunIdSchema,
  reservationIdSchema,
  type ConductedSettings,
  type EvaluationLlm,
  type LlmChoice,
  type ModelNeed,
  type Scenario,
} from '@outdial/contracts';
import type { NewRun } from '@outdial/persistence';
import type { AccountPrincipal } from '../../http/principal.ts';
import { refusalOf } from '../create-call/refusal.ts';
import { answeringModels } from '../tries/answering-models.ts';
import { holdOfTry } from '../tries/hold.ts';

export interface RunToPlan {
  readonly settings: ConductedSettings;
  readonly llm: EvaluationLlm;
  readonly scenario: Scenario;
  /** In the list. */
  readonly index: number;
}

/** A run with the credentials and prices of its models: of the agent, of the judge, and of a persona that a model plays. */
export async function planRun(
  models: ModelDirectories,
  { account }: AccountPrincipal,
  { settings, llm, scenario, index }: RunToPlan,
): Promise<NewRun> {
  const { persona } = scenario;
  const played =
    persona.kind === 'model'
      ? [needOf(persona.llm ?? llm, persona.llm ? `scenarios.${index}.persona.llm` : 'llm')]
      : [];
  const needs = [...answeringModels(settings), needOf(llm, 'llm'), ...played];
  const planned = await planModels(models, account, { driver: settings.driver, needs, maxDurationSeconds: null });
  if (planned.kind !== 'planned') throw refusalOf(planned);
  return {
    ...planned.conducted,
    runId: evaluationRunIdSchema.parse(randomUUID()),
    scenario,
    holdMicros: holdOfTry(planned.conducted),
    reservationId: reservationIdSchema.parse(randomUUID()),
  };
}

function needOf({ provider, model, credential }: LlmChoice, path: string): ModelNeed {
  return { component: 'llm', provider, model, credential: credential ?? null, isFallback: false, path };
}
