import {
  checkSuppressionsSchema,
  createdSuppressionsSchema,
  createSuppressionsSchema,
  deleteSuppressionSchema,
  listSuppressionsQuerySchema,
  suppressionChecksSchema,
  suppressionEnvelopeSchema,
  suppressionListSchema,
  suppressionParamsSchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const PATH = '/api/v1/suppressions';
const TAG = 'Do-not-call list';

export const createSuppressionsContract = defineContract({
  method: 'POST',
  path: PATH,
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createSuppressionsSchema,
  responses: { 201: createdSuppressionsSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'too_many_suppressions'],
  docs: {
    operationId: 'createSuppressions',
    tag: TAG,
    summary: 'Put numbers on the do-not-call list',
    description:
      'Adds up to 500 numbers. No dial to them begins more than a second later; a call that already rings or talks goes on. What is scheduled to them ends as `suppressed`. Repeating the request changes nothing.',
    answers: { 201: { description: 'How many numbers were new, and the entries of all of them.' } },
  },
});

export const listSuppressionsContract = defineContract({
  method: 'GET',
  path: PATH,
  scope: 'outbound',
  params: NO_PARAMS,
  query: listSuppressionsQuerySchema,
  body: NO_BODY,
  responses: { 200: suppressionListSchema },
  errors: [],
  docs: {
    operationId: 'listSuppressions',
    tag: TAG,
    summary: 'List the entries of the do-not-call list',
    description:
      'The entries of the account that are in force, newest first, in pages. Those of the platform are not listed; the check says whether a number is on its list.',
    answers: { 200: { description: 'A page of entries.' } },
  },
});

export const checkSuppressionsContract = defineContract({
  method: 'POST',
  path: `${PATH}/check`,
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: checkSuppressionsSchema,
  responses: { 200: suppressionChecksSchema },
  errors: ['body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'checkSuppressions',
    tag: TAG,
    summary: 'Ask whether numbers are on a do-not-call list',
    description:
      'Checks up to 500 numbers against the list of the account and that of the platform. Each call is checked again when it is accepted and when it is dialed.',
    answers: { 200: { description: 'One result for each number, in the order of the request.' } },
  },
});

export const deleteSuppressionContract = defineContract({
  method: 'DELETE',
  path: `${PATH}/:suppression_id`,
  scope: 'manage',
  params: suppressionParamsSchema,
  query: NO_QUERY,
  body: deleteSuppressionSchema,
  responses: { 200: suppressionEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type', 'suppression_not_found', 'opt_out_stands'],
  docs: {
    operationId: 'deleteSuppression',
    tag: TAG,
    summary: 'Take a number off the do-not-call list',
    description:
      'Removes an entry of the kind `manual`; the reason is audited, and the entry is kept as history. An `opt_out` stands: the person asked for it, and only the operator of the service lifts it.',
    answers: { 200: { description: 'The entry, which is no longer in force.' } },
  },
});
