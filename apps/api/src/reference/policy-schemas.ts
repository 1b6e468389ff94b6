import {
  callingPolicyCheckSchema,
  callingPolicyEnvelopeSchema,
  callingPolicySchema,
  callingPolicySettingsSchema,
  callingPolicyVersionsSchema,
  checkCallingPolicySchema,
} from '@outdial/contracts';
import type { z } from 'zod';

/** Request schemas of calling policies, by their names in the document. */
export const POLICY_REQUESTS: Readonly<Record<string, z.ZodType>> = {
  UpdateCallingPolicy: callingPolicySettingsSchema,
  CheckCallingPolicy: checkCallingPolicySchema,
};

/** Response schemas. */
export const POLICY_RESPONSES: Readonly<Record<string, z.ZodType>> = {
  CallingPolicy: callingPolicySchema,
  CallingPolicyEnvelope: callingPolicyEnvelopeSchema,
  CallingPolicyVersions: callingPolicyVersionsSchema,
  CallingPolicyCheck: callingPolicyCheckSchema,
};
