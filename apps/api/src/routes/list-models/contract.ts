import { modelListSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const listModelsContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/models',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: modelListSchema },
  errors: [],
  docs: {
    operationId: 'listModels',
    tag: 'Agents',
    summary: 'List models',
    description:
      'What the account’s agents may use: the models that the operator offers, with prices, and the providers that have a credential.',
    answers: { 200: { description: 'The models and the providers.' } },
  },
});
