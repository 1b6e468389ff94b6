import {
  createEvaluationSchema,
  evaluationEnvelopeSchema,
  evaluationListSchema,
  evaluationRunSchema,
  evaluationSchema,
  evaluationSummarySchema,
  saveScenariosSchema,
  scenarioSchema,
  scenariosEnvelopeSchema,
} from '@outdial/contracts';
import type { z } from 'zod';

/** Request schemas of evaluations, by their names in the document. */
export const EVALUATION_REQUESTS: Readonly<Record<string, z.ZodType>> = {
  NewScenario: scenarioSchema,
  CreateEvaluation: createEvaluationSchema,
  SaveScenarios: saveScenariosSchema,
};

/** Response schemas. */
export const EVALUATION_RESPONSES: Readonly<Record<string, z.ZodType>> = {
  Scenario: scenarioSchema,
  Scenarios: scenariosEnvelopeSchema,
  EvaluationRun: evaluationRunSchema,
  EvaluationSummary: evaluationSummarySchema,
  Evaluation: evaluationSchema,
  EvaluationEnvelope: evaluationEnvelopeSchema,
  EvaluationList: evaluationListSchema,
};
