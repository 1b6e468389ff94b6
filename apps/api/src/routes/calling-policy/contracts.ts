import {
  callingPolicyCheckSchema,
  callingPolicyEnvelopeSchema,
  callingPolicySettingsSchema,
  callingPolicyVersionsSchema,
  checkCallingPolicySchema,
  listPolicyVersionsQuerySchema,
} from '@outdial/contracts';
import { defineContract, NO_BODY, NO_PARAMS, NO_QUERY } from '../../http/define-route.ts';

const PATH = '/api/v1/account/calling-policy';
const TAG = 'Calling policy';
/** The rows of all regions, indented by four spaces. Twice as much, of wrong rows, kept the process busy for 0.6 s. */
const MAX_POLICY_BYTES = 128 * 1024;

export const getCallingPolicyContract = defineContract({
  method: 'GET',
  path: PATH,
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  responses: { 200: callingPolicyEnvelopeSchema },
  errors: [],
  docs: {
    operationId: 'getCallingPolicy',
    tag: TAG,
    summary: 'Read the calling policy',
    description:
      'When, and how often, the account calls: the policy in force, and the operator’s floor, which holds besides. It is not legal advice: whether it suffices for the people you call is for you to judge.',
    answers: { 200: { description: 'The policy in force. Version 0 has no rule.' } },
  },
});

export const updateCallingPolicyContract = defineContract({
  method: 'PUT',
  path: PATH,
  scope: 'manage',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: callingPolicySettingsSchema,
  maxBodyBytes: MAX_POLICY_BYTES,
  responses: { 200: callingPolicyEnvelopeSchema },
  errors: ['body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'updateCallingPolicy',
    tag: TAG,
    summary: 'Replace the calling policy',
    description:
      'Puts the whole policy in force as the next version; earlier versions are kept. What is not given closes nothing. No dial against it begins more than a second later; a call that already rings or talks goes on. Calls that wait for the calling hours or for a cap are looked at again within seconds. The same policy again makes no version.',
    answers: { 200: { description: 'The policy, which is in force.' } },
  },
});

export const listPolicyVersionsContract = defineContract({
  method: 'GET',
  path: `${PATH}/versions`,
  scope: 'outbound',
  params: NO_PARAMS,
  query: listPolicyVersionsQuerySchema,
  body: NO_BODY,
  responses: { 200: callingPolicyVersionsSchema },
  errors: [],
  docs: {
    operationId: 'listCallingPolicyVersions',
    tag: TAG,
    summary: 'List the versions of the calling policy',
    description: 'Every policy that was in force, newest first, in pages. A version never changes.',
    answers: { 200: { description: 'A page of versions.' } },
  },
});

export const checkCallingPolicyContract = defineContract({
  method: 'POST',
  path: `${PATH}/check`,
  scope: 'outbound',
  params: NO_PARAMS,
  query: NO_QUERY,
  body: checkCallingPolicySchema,
  responses: { 200: callingPolicyCheckSchema },
  errors: ['body_too_large', 'unsupported_media_type'],
  docs: {
    operationId: 'checkCallingPolicy',
    tag: TAG,
    summary: 'Ask what the calling policy says of a number',
    description:
      'Whether a call to the number would be let through at a moment, in which time zones the callee may be, and when that changes. It counts no call. Each call is checked again when it is accepted and when it is dialed.',
    answers: { 200: { description: 'The verdict, with what it rests on.' } },
  },
});
