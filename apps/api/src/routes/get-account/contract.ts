import { accountEnvelopeSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const getAccountContract = defineContract({
  method: 'GET',
  path: '/api/v1/account',
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: accountEnvelopeSchema },
  errors: [],
  docs: {
    operationId: 'getAccount',
    tag: 'Account',
    summary: 'Read the account',
    description: 'The wallet and the slots of the account that owns the key.',
    answers: { 200: { description: 'The account.' } },
  },
});
