import {
  createEvaluationSchema,
  EVALUATION_LIMITS,
  evaluationEnvelopeSchema,
  evaluationIdSchema,
  evaluationListSchema,
  idempotencyKeySchema,
  listEvaluationsQuerySchema,
  saveScenariosSchema,
  scenariosEnvelopeSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';
import { agentParams } from '../agents/agent-params.ts';

/** Prompts and criteria at their longest are fewer in practice: a suite is text that people write. */
const MAX_SCENARIOS_BYTES = 512 * 1024;
const { open, runsPerDay, running, scenarios } = EVALUATION_LIMITS;
const evaluationParams = agentParams.extend({ evaluation_id: evaluationIdSchema.describe('The evaluation.') });

export const createEvaluationContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents/:agent_id/evaluations',
  params: agentParams,
  query: NO_QUERY,
  body: createEvaluationSchema,
  maxBodyBytes: MAX_SCENARIOS_BYTES,
  responses: { 201: evaluationEnvelopeSchema },
  errors: [
    'agent_not_found',
    'evaluation_not_possible',
    'provider_not_configured',
    'model_not_priced',
    'insufficient_funds',
    'idempotency_key_reused',
    'body_too_large',
    'unsupported_media_type',
  ],
  docs: {
    operationId: 'createEvaluation',
    tag: 'Agents',
    summary: 'Evaluate an agent with simulated callees',
    description: `Has one version of an agent talk in text with 1 to ${scenarios} simulated callees, and judges each conversation by its criteria. No telephone rings, and no tool is called: the agent reads the results that the scenario has. An account has ${running} conversations at once, ${open} evaluations that are not over, and ${runsPerDay} conversations in a day: more is \`rate_limited\`. The wallet is charged for what the models of the agent, of the callee and of the judge use, unless the credential is your own.`,
    headers: { 'Idempotency-Key': idempotencyKeySchema },
    answers: {
      201: {
        description: 'The evaluation was accepted, now or earlier with this Idempotency-Key. Read it until it is over.',
        headers: {
          Location: 'The path of the evaluation.',
          'Idempotency-Replayed': '`true` if it was accepted earlier. The response shows its current state.',
        },
      },
    },
  },
});

export const listEvaluationsContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'GET',
  path: '/api/v1/agents/:agent_id/evaluations',
  params: agentParams,
  query: listEvaluationsQuerySchema,
  body: NO_BODY,
  responses: { 200: evaluationListSchema },
  errors: ['agent_not_found'],
  docs: {
    operationId: 'listEvaluations',
    tag: 'Agents',
    summary: 'List evaluations of an agent',
    description: 'Those of all its versions, newest first, without their conversations.',
    answers: { 200: { description: 'A page of evaluations.' } },
  },
});

export const getEvaluationContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'GET',
  path: '/api/v1/agents/:agent_id/evaluations/:evaluation_id',
  params: evaluationParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: evaluationEnvelopeSchema },
  errors: ['evaluation_not_found'],
  docs: {
    operationId: 'getEvaluation',
    tag: 'Agents',
    summary: 'Read an evaluation',
    description: 'With each conversation: its transcript, its judgment by criterion, and its cost.',
    answers: { 200: { description: 'The evaluation.' } },
  },
});

export const cancelEvaluationContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'POST',
  path: '/api/v1/agents/:agent_id/evaluations/:evaluation_id/cancel',
  params: evaluationParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 202: evaluationEnvelopeSchema },
  errors: ['evaluation_not_found'],
  docs: {
    operationId: 'cancelEvaluation',
    tag: 'Agents',
    summary: 'Cancel an evaluation',
    description:
      'Conversations that wait do not begin, and those that run end within seconds and are charged what they have used. Has no effect on an evaluation that is over.',
    answers: { 202: { description: 'The evaluation. Read it until it is `cancelled`.' } },
  },
});

export const getScenariosContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'GET',
  path: '/api/v1/agents/:agent_id/scenarios',
  params: agentParams,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: scenariosEnvelopeSchema },
  errors: ['agent_not_found'],
  docs: {
    operationId: 'getScenarios',
    tag: 'Agents',
    summary: 'Read the scenarios of an agent',
    description: 'The scenarios that are saved with the agent, for evaluations of any of its versions.',
    answers: { 200: { description: 'The scenarios.' } },
  },
});

export const saveScenariosContract = defineContract({
  scope: 'manage',
  isForMembers: true,
  method: 'PUT',
  path: '/api/v1/agents/:agent_id/scenarios',
  params: agentParams,
  query: NO_QUERY,
  body: saveScenariosSchema,
  maxBodyBytes: MAX_SCENARIOS_BYTES,
  responses: { 200: scenariosEnvelopeSchema },
  errors: ['agent_not_found', 'body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'saveScenarios',
    tag: 'Agents',
    summary: 'Save the scenarios of an agent',
    description:
      'Replaces all scenarios that are saved with the agent. An evaluation without `scenarios` uses them as they are when it is requested.',
    answers: { 200: { description: 'The scenarios as saved.' } },
  },
});
