import { campaignParamsSchema, campaignUploadEnvelopeSchema, uploadParamsSchema } from '@outdial/contracts';
import { defineContract, NO_BODY, NO_QUERY } from '../../http/define-route.ts';

const ONE = '/api/v1/campaigns/:campaign_id';
const TAG = 'Campaigns';
const CSV = { 'text/csv': { schema: { type: 'string' } } } as const;

export const getUploadContract = defineContract({
  method: 'GET',
  path: `${ONE}/uploads/:upload`,
  scope: 'outbound',
  params: uploadParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: campaignUploadEnvelopeSchema },
  errors: ['upload_not_found'],
  docs: {
    operationId: 'getUpload',
    tag: TAG,
    summary: 'Read an upload of contacts',
    description: 'Where an upload stands, with the first 100 lines that are no contact.',
    answers: { 200: { description: 'The upload.' } },
  },
});

export const getUploadErrorsContract = defineContract({
  method: 'GET',
  path: `${ONE}/uploads/:upload/errors.csv`,
  scope: 'outbound',
  params: uploadParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['upload_not_found'],
  docs: {
    operationId: 'getUploadErrors',
    tag: TAG,
    summary: 'Download the lines that are no contact',
    description:
      'CSV (RFC 4180, UTF-8 with a byte order mark) with the columns `line`, `column`, `value` and `message`, by line. Digits of a value are masked. At most 100,000 are kept, for 30 days.',
    answers: { 200: { description: 'The lines.', media: CSV } },
  },
});

export const getResultsContract = defineContract({
  method: 'GET',
  path: `${ONE}/results.csv`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['campaign_not_found'],
  docs: {
    operationId: 'getCampaignResults',
    tag: TAG,
    summary: 'Download the results of a campaign',
    description:
      'CSV (RFC 4180, UTF-8 with a byte order mark): every contact in the order in which they are called, with its attempts, the outcome of its last call, the cost of all of them, its variables, and its metadata as `metadata.<name>`. A variable with the name of another column is `variables.<name>`. Cells that a spreadsheet would compute begin with an apostrophe.',
    answers: { 200: { description: 'The contacts.', media: CSV } },
  },
});

export const uploadContracts = [getUploadContract, getUploadErrorsContract, getResultsContract] as const;
