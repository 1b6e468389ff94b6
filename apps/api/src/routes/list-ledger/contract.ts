import { ledgerPageSchema, ledgerQuerySchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS } from '../../http/define-route.ts';

export const listLedgerContract = defineContract({
  scope: 'outbound',
  method: 'GET',
  path: '/api/v1/account/ledger',
  params: NO_PARAMS,
  query: ledgerQuerySchema,
  body: NO_BODY,
  responses: { 200: ledgerPageSchema },
  errors: [],
  docs: {
    operationId: 'listLedger',
    tag: 'Account',
    summary: 'List the ledger',
    description:
      'What changed the balance of the account: top-ups, and charges for calls, analyses and tries, newest first. Entries that are booked in between do not affect later pages.',
    answers: { 200: { description: 'A page of entries.' } },
  },
});
