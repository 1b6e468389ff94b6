import {
  accountEnvelopeSchema,
  agentEnvelopeSchema,
  agentListSchema,
  agentSchema,
  agentVersionEnvelopeSchema,
  agentVersionListSchema,
  apiKeyEnvelopeSchema,
  apiKeyListSchema,
  apiKeySchema,
  callEnvelopeSchema,
  callEventListSchema,
  callListSchema,
  callSchema,
  checkedCredentialSchema,
  createApiKeySchema,
  createCallSchema,
  createdApiKeySchema,
  createCredentialSchema,
  credentialEnvelopeSchema,
  credentialListSchema,
  credentialSchema,
  ERROR_MEANINGS,
  instructCallSchema,
  instructionEnvelopeSchema,
  ledgerPageSchema,
  phoneNumberListSchema,
  saveAgentSchema,
  updateAgentSchema,
  rotateCredentialSchema,
  secretEnvelopeSchema,
  secretListSchema,
  secretSchema,
  setSecretSchema,
  createTrySchema,
  tryEnvelopeSchema,
  tryMessageSchema,
  trySchema,
  updateCallSchema,
  updateCredentialSchema,
  type ErrorBody,
  type ErrorCode,
} from '@outdial/contracts';
import type { z } from 'zod';
import { EVALUATION_EXAMPLES } from './evaluation-examples.ts';
import { POLICY_EXAMPLES } from './policy-examples.ts';
import { CAMPAIGN_EXAMPLES } from './campaign-examples.ts';
import { SUPPRESSION_EXAMPLES } from './suppression-examples.ts';
import { WEBHOOK_EXAMPLES } from './webhook-examples.ts';

const CALL_ID = '01991f3e-6a52-7c8d-9e10-2b3c4d5e6f70';
const AGENT_ID = '01991f3e-0b1c-7d2e-8f30-415263748596';
const ACCOUNT_ID = '01991f3d-f0e1-7a2b-8c3d-4e5f60718293';

const CALL = callSchema.parse({
  id: CALL_ID,
  owner_id: ACCOUNT_ID,
  agent_id: AGENT_ID,
  agent_version: 3,
  caller_number: '+12025550199',
  callee_number: '+12025550100',
  direction: 'outbound',
  status: 'ended',
  started_at: '2026-11-20T14:26:00.274Z',
  answered_at: '2026-11-20T14:26:02.231Z',
  ended_at: '2026-11-20T14:26:24.291Z',
  duration_seconds: 24,
  billable_seconds: 60,
  answered_by: 'human',
  transcript: [
    { role: 'agent', text: 'Hello Zoë.', start_ms: 940, end_ms: 1_780, source: 'script', interrupted: false },
    { role: 'callee', text: null, start_ms: 2_310, end_ms: 3_050, source: 'untranscribed', interrupted: false },
  ],
  summary: 'A person answered and heard the agent out.',
  analysis_status: 'none',
  analysis: null,
  latency: null,
  review_note: null,
  webhook_url: null,
  recording_url: `/api/v1/calls/${CALL_ID}/recording`,
  recording_status: 'available',
  cost: 0.012,
  currency: 'USD',
  cost_breakdown: {
    reserved: 0.024,
    items: [{ product: 'talk_time', unit_price: 0.012, quantity: 1, cost: 0.012 }],
    total: 0.012,
  },
  usage: [],
  ended_reason: 'agent_hangup',
  failure: null,
  sip_code: 200,
  sip: null,
  variables: { name: 'Zoë' },
  metadata: { order: 1_042 },
  limits: { max_duration_seconds: 1_800, ring_timeout_seconds: 30 },
  created_at: '2026-11-20T14:26:00.123Z',
  scheduled_for: null,
  expires_at: null,
  waiting_for: null,
  attempt: 1,
  retry_of: null,
  next_call_id: null,
  campaign_id: null,
});

const SETTINGS = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You call {{name}} about the visit on {{day}}. Ask whether it still suits them.',
  first_message: 'Hello {{name}}, this is Riverside Dental.',
  model: { provider: 'openai', model: 'gpt-realtime-2.1', voice: 'marin' },
  tools: [{ type: 'end_call', name: 'end_call', description: 'Ends the call once everything is said.' }],
  opt_out: { key: '9' },
};
const AGENT = agentSchema.parse({
  id: AGENT_ID,
  name: SETTINGS.name,
  driver: SETTINGS.driver,
  version: 3,
  owned: true,
  settings: SETTINGS,
  problem: null,
  required_variables: ['name', 'day'],
  created_at: '2026-11-19T09:00:00.000Z',
});
const { settings: AGENT_SETTINGS, ...AGENT_SUMMARY } = AGENT;
const VERSION = { version: 3, name: SETTINGS.name, saved_by: 'Sam', created_at: '2026-11-20T10:12:00.000Z' };
const CREDENTIAL = credentialSchema.parse({
  id: '01991f3e-9c14-7d3a-b1f2-8e7d6c5b4a39',
  provider: 'openai',
  name: 'production',
  base_url: null,
  region: null,
  shown_suffix: '3fQA',
  max_concurrent_calls: 40,
  max_generations: null,
  starts_per_second: null,
  created_at: '2026-11-20T14:20:00.123Z',
  rotated_at: '2026-11-20T14:20:00.123Z',
  checked_at: '2026-11-20T14:20:01.480Z',
  check_result: 'ok',
});

const API_KEY = apiKeySchema.parse({
  id: '01991f3e-2f6a-7b4c-9d8e-7f6a5b4c3d2e',
  name: 'Production',
  shown_prefix: 'od_live_3fQA',
  scopes: ['outbound'],
  created_at: '2026-11-20T14:20:00.123Z',
  last_used_at: '2026-11-20T14:26:00.123Z',
  expires_at: null,
  revoked_at: null,
});

const SECRET = secretSchema.parse({
  name: 'CRM_TOKEN',
  created_at: '2026-11-20T14:21:00.123Z',
  updated_at: '2026-11-20T14:21:00.123Z',
});

const TRY = trySchema.parse({
  id: '01991f3e-7b63-7a1c-8d2e-3f4a5b6c7d8e',
  agent_id: AGENT_ID,
  agent_version: 3,
  medium: 'text',
  status: 'running',
  ended_reason: null,
  cost: 0.000_412,
  currency: 'USD',
  created_at: '2026-11-20T14:26:00.123Z',
  expires_at: '2026-11-20T14:31:00.123Z',
});

/** Complete example bodies, by the schema that each of them matches. */
export const EXAMPLES: ReadonlyMap<z.ZodType, unknown> = new Map<z.ZodType, unknown>([
  [
    createCallSchema,
    { to_number: '+12025550100', agent_id: AGENT_ID, from_number: '+12025550199', variables: { name: 'Zoë' } },
  ],
  [instructCallSchema, { text: 'Offer a slot on Friday afternoon.' }],
  [instructionEnvelopeSchema, { instruction: { call_id: CALL_ID, text: 'Offer a slot on Friday afternoon.' } }],
  [updateCallSchema, { review_note: 'Call again on Monday.' }],
  [createCredentialSchema, { provider: 'openai', name: 'production', api_key: '<key-of-your-OpenAI-project>' }],
  [updateCredentialSchema, { max_concurrent_calls: 60 }],
  [rotateCredentialSchema, { api_key: '<new-key>' }],
  [credentialEnvelopeSchema, { credential: CREDENTIAL }],
  [credentialListSchema, { credentials: [CREDENTIAL], has_more: false, next_cursor: null }],
  [
    checkedCredentialSchema,
    { credential: CREDENTIAL, check: { result: 'ok', message: 'The provider accepts the key.' } },
  ],
  [setSecretSchema, { value: '<the token of your CRM>' }],
  [secretEnvelopeSchema, { secret: SECRET }],
  [secretListSchema, { secrets: [SECRET] }],
  [callEnvelopeSchema, { call: CALL }],
  [saveAgentSchema, { settings: SETTINGS }],
  [updateAgentSchema, { settings: SETTINGS, base_version: 2 }],
  [agentEnvelopeSchema, { agent: AGENT }],
  [agentListSchema, { agents: [AGENT_SUMMARY], has_more: false, next_cursor: null }],
  [agentVersionListSchema, { versions: [VERSION], has_more: true, next_cursor: '3' }],
  [agentVersionEnvelopeSchema, { version: { ...VERSION, settings: AGENT_SETTINGS, problem: null } }],
  [createTrySchema, { version: 3, variables: { name: 'Zoë', day: 'Tuesday' } }],
  [tryMessageSchema, { text: 'Yes, that suits me.' }],
  [tryEnvelopeSchema, { try: TRY }],
  [callListSchema, { calls: [CALL], has_more: false, next_cursor: null }],
  [
    callEventListSchema,
    {
      events: [
        { id: '4711', at: '2026-11-20T14:26:00.123Z', type: 'queued', data: {} },
        { id: '4712', at: '2026-11-20T14:26:00.274Z', type: 'dialing', data: {} },
        { id: '4715', at: '2026-11-20T14:26:01.230Z', type: 'ringing', data: { sip_code: 180 } },
      ],
    },
  ],
  [
    accountEnvelopeSchema,
    {
      account: {
        id: ACCOUNT_ID,
        name: 'Acme',
        wallet: { balance: 25, held: 0.024, available: 24.976, currency: 'USD' },
        capacity: { limit: 10, in_use: 1 },
      },
    },
  ],
  [
    ledgerPageSchema,
    {
      entries: [
        {
          id: '1207',
          kind: 'call_charge',
          amount: -0.012,
          balance_after: 24.988,
          call_id: CALL_ID,
          agent_name: null,
          to_number: '+12025550100',
          billable_seconds: 60,
          created_at: '2026-11-20T14:26:24.310Z',
        },
      ],
      has_more: true,
      next_cursor: '1207.25000000',
    },
  ],
  [
    phoneNumberListSchema,
    {
      phone_numbers: [
        {
          id: '01991f3e-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
          number: '+12025550199',
          active: true,
          outbound_enabled: true,
          is_default: true,
          created_at: '2026-11-19T09:00:00.000Z',
        },
      ],
    },
  ],
  [createApiKeySchema, { name: 'Production', expires_at: null, scopes: ['outbound'] }],
  [createdApiKeySchema, { api_key: { ...API_KEY, last_used_at: null }, value: '<the key, shown once>' }],
  [apiKeyListSchema, { api_keys: [API_KEY] }],
  [apiKeyEnvelopeSchema, { api_key: { ...API_KEY, revoked_at: '2026-11-21T08:00:00.000Z' } }],
  ...EVALUATION_EXAMPLES,
  ...POLICY_EXAMPLES,
  ...CAMPAIGN_EXAMPLES,
  ...SUPPRESSION_EXAMPLES,
  ...WEBHOOK_EXAMPLES,
]);

export function exampleOfError(code: ErrorCode): ErrorBody {
  return { error: { code, message: ERROR_MEANINGS[code], request_id: '4a653596-7d89-472b-ac5d-1f2cd179642b' } };
}
