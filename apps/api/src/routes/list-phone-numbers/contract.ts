import { phoneNumberListSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

export const listPhoneNumbersContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/phone-numbers',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: phoneNumberListSchema },
  errors: [],
  docs: {
    operationId: 'listPhoneNumbers',
    tag: 'Account',
    summary: 'List phone numbers',
    description: 'The numbers of the account, from which its calls may come. The default is first.',
    answers: { 200: { description: 'The numbers.' } },
  },
});
