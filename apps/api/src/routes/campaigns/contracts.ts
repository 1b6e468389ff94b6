import {
  addContactsQuerySchema,
  addContactsSchema,
  CAMPAIGN_LIMITS,
  campaignContactListSchema,
  campaignEnvelopeSchema,
  campaignListSchema,
  campaignParamsSchema,
  campaignUploadEnvelopeSchema,
  cancelCampaignSchema,
  createCampaignSchema,
  listCampaignsQuerySchema,
  listContactsQuerySchema,
  updateCampaignSchema,
} from '@outdial/contracts';
import { jsonOrUploadBody } from '../../http/file-body.ts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const PATH = '/api/v1/campaigns';
const ONE = `${PATH}/:campaign_id` as const;
const TAG = 'Campaigns';

const BODY_ERRORS = ['body_too_large', 'unsupported_media_type'] as const;
/** Of an agent or a number that the campaign may not have. */
const PLAN_ERRORS = [
  'agent_access_denied',
  'provider_not_configured',
  'model_not_priced',
  'from_number_not_allowed',
  'no_outbound_number',
] as const;

export const createCampaignContract = defineContract({
  method: 'POST',
  path: PATH,
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: createCampaignSchema,
  responses: { 201: campaignEnvelopeSchema },
  errors: [...BODY_ERRORS, ...PLAN_ERRORS, 'secret_key_missing', 'too_many_campaigns'],
  docs: {
    operationId: 'createCampaign',
    tag: TAG,
    summary: 'Create a campaign',
    description: 'Creates a draft. Add contacts, then start it. Nothing is dialed before its start.',
    answers: { 201: { description: 'The draft.' } },
  },
});

export const listCampaignsContract = defineContract({
  method: 'GET',
  path: PATH,
  scope: 'outbound',
  params: NO_PARAMS,
  query: listCampaignsQuerySchema,
  body: NO_BODY,
  responses: { 200: campaignListSchema },
  errors: [],
  docs: {
    operationId: 'listCampaigns',
    tag: TAG,
    summary: 'List campaigns',
    description: 'The campaigns of the account with their progress, newest first, in pages.',
    answers: { 200: { description: 'A page of campaigns.' } },
  },
});

export const getCampaignContract = defineContract({
  method: 'GET',
  path: ONE,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: campaignEnvelopeSchema },
  errors: ['campaign_not_found'],
  docs: {
    operationId: 'getCampaign',
    tag: TAG,
    summary: 'Read a campaign',
    description: 'The settings of a campaign and its progress, as of one moment.',
    answers: { 200: { description: 'The campaign.' } },
  },
});

export const updateCampaignContract = defineContract({
  method: 'PATCH',
  path: ONE,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: updateCampaignSchema,
  responses: { 200: campaignEnvelopeSchema },
  errors: [...BODY_ERRORS, 'campaign_not_found', 'campaign_state', ...PLAN_ERRORS, 'secret_key_missing'],
  docs: {
    operationId: 'updateCampaign',
    tag: TAG,
    summary: 'Change a campaign',
    description:
      'Changes what the body names. Name, pace, concurrency, weight, window, end and budget may be changed until the campaign is over, the rest in `draft` and `paused`. Calls that are scheduled already keep the agent, the number and the retries that they have. A bound that is lowered counts from the next turn of the account, usually within a second. With `agent_id` a paused campaign takes the current version of the agent.',
    answers: { 200: { description: 'The campaign.' } },
  },
});

export const startCampaignContract = defineContract({
  method: 'POST',
  path: `${ONE}/start`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: campaignEnvelopeSchema, 202: campaignEnvelopeSchema },
  errors: [
    'campaign_not_found',
    'campaign_state',
    'campaign_empty',
    'upload_in_progress',
    'too_many_campaigns',
    ...PLAN_ERRORS,
  ],
  docs: {
    operationId: 'startCampaign',
    tag: TAG,
    summary: 'Start a campaign',
    description: `Starts a draft that has contacts, or has it wait for \`starts_at\`. Its calls are conducted by the agent’s version of this moment. At most ${CAMPAIGN_LIMITS.running} campaigns of an account run at once.`,
    answers: { 200: { description: 'It has started before.' }, 202: { description: 'It starts.' } },
  },
});

export const pauseCampaignContract = defineContract({
  method: 'POST',
  path: `${ONE}/pause`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: campaignEnvelopeSchema, 202: campaignEnvelopeSchema },
  errors: ['campaign_not_found', 'campaign_state'],
  docs: {
    operationId: 'pauseCampaign',
    tag: TAG,
    summary: 'Pause a campaign',
    description:
      'Within a second no more of its calls are dialed. Calls that ring or talk go on. A queued call ends as `cancelled`, and its contact has another call, which waits for `resume`.',
    answers: { 200: { description: 'It is paused already.' }, 202: { description: 'It is paused.' } },
  },
});

export const resumeCampaignContract = defineContract({
  method: 'POST',
  path: `${ONE}/resume`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: campaignEnvelopeSchema, 202: campaignEnvelopeSchema },
  errors: ['campaign_not_found', 'campaign_state', 'too_many_campaigns'],
  docs: {
    operationId: 'resumeCampaign',
    tag: TAG,
    summary: 'Resume a campaign',
    description: 'A paused campaign goes on where it was.',
    answers: { 200: { description: 'It runs already.' }, 202: { description: 'It runs again.' } },
  },
});

export const cancelCampaignContract = defineContract({
  method: 'POST',
  path: `${ONE}/cancel`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: cancelCampaignSchema,
  responses: { 200: campaignEnvelopeSchema, 202: campaignEnvelopeSchema },
  errors: [...BODY_ERRORS, 'campaign_not_found', 'campaign_state'],
  docs: {
    operationId: 'cancelCampaign',
    tag: TAG,
    summary: 'Cancel a campaign',
    description:
      'Ends a campaign for good: nothing more is dialed, and what is scheduled ends as `cancelled`. Open calls go on, unless `hang_up` is given. It is `cancelling` until nothing is scheduled any more.',
    answers: { 200: { description: 'It is cancelled already.' }, 202: { description: 'It is being cancelled.' } },
  },
});

export const deleteCampaignContract = defineContract({
  method: 'DELETE',
  path: ONE,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: NO_QUERY,
  body: NO_BODY,
  responses: {},
  errors: ['campaign_not_found', 'campaign_state', 'upload_in_progress'],
  docs: {
    operationId: 'deleteCampaign',
    tag: TAG,
    summary: 'Delete a campaign',
    description:
      'Deletes a draft, or a campaign that is cancelled or completed, with its contacts and its uploads. Its calls stay, with their costs and their `campaign_id`; those that are open go on. A campaign that runs, waits or is paused is to be cancelled first.',
    answers: { 204: { description: 'The campaign was deleted.' } },
  },
});

/** As JSON, or as a file. */
export const addContactsContract = defineContract({
  method: 'POST',
  path: `${ONE}/contacts`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: addContactsQuerySchema,
  body: jsonOrUploadBody(addContactsSchema, {
    mediaType: 'text/csv',
    maxBytes: CAMPAIGN_LIMITS.fileBytes,
    maxJsonBytes: CAMPAIGN_LIMITS.contactsBytes,
  }),
  responses: { 201: campaignUploadEnvelopeSchema },
  errors: [
    ...BODY_ERRORS,
    'campaign_not_found',
    'campaign_state',
    'upload_in_progress',
    'agent_access_denied',
    'too_many_contacts',
    'upload_failed',
    'lines_refused',
  ],
  docs: {
    operationId: 'addContacts',
    tag: TAG,
    summary: 'Add contacts to a campaign',
    description: `Adds up to ${CAMPAIGN_LIMITS.contactsAtOnce} contacts as JSON, all or none, or a CSV file of up to 256 MiB and ${CAMPAIGN_LIMITS.contacts} lines; also while the campaign runs. A number that the campaign has already is a duplicate and is not added again, so the request may be repeated.

The first line of a file names the columns, and \`columns\` of the campaign says which is what. Unless it does, the numbers are in \`to_number\`, \`phone\`, \`phone_number\` or \`number\`, and a column with the name of a variable of the agent is that variable. Commas, semicolons and tabs separate; the text is UTF-8. Lines that are no contact are reported, and the others added. Nothing is called before the whole file has come; when an upload breaks off, nothing of it is added. An account sends one file at a time.`,
    requestJson: addContactsSchema,
    requestMedia: {
      'text/csv': { schema: { type: 'string' }, example: 'phone,name\n+12025550143,Ada\n' },
    },
    answers: { 201: { description: 'What was added, and the first 100 lines of a file that are no contact.' } },
  },
});

export const listContactsContract = defineContract({
  method: 'GET',
  path: `${ONE}/contacts`,
  scope: 'outbound',
  params: campaignParamsSchema,
  query: listContactsQuerySchema,
  body: NO_BODY,
  responses: { 200: campaignContactListSchema },
  errors: ['campaign_not_found'],
  docs: {
    operationId: 'listContacts',
    tag: TAG,
    summary: 'List the contacts of a campaign',
    description:
      'The contacts in the order in which they are called, each with its last call, in pages; with `outcome` only those of which that became.',
    answers: { 200: { description: 'A page of contacts.' } },
  },
});

export const campaignContracts = [
  createCampaignContract,
  listCampaignsContract,
  getCampaignContract,
  updateCampaignContract,
  startCampaignContract,
  pauseCampaignContract,
  resumeCampaignContract,
  cancelCampaignContract,
  deleteCampaignContract,
  addContactsContract,
  listContactsContract,
] as const;
