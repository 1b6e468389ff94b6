import {
  callingPolicyCheckSchema,
  callingPolicyEnvelopeSchema,
  type CallingPolicyCheckBody,
  type E164,
} from '@outdial/contracts';
import { queryOptions } from '@tanstack/react-query';
import { accountPath, request } from '../api/request.ts';
import { accountKey } from './queries.ts';

/** The prefix of every query about the calling policy: a change of the policy makes all of them stale. */
export const callingPolicyKey = (accountId: string) => [...accountKey(accountId), 'calling-policy'] as const;

export const callingPolicyPath = (accountId: string, ...parts: readonly string[]) =>
  accountPath(accountId, 'account', 'calling-policy', ...parts);

/** The account's policy in force, and the operator's floor. */
export const callingPolicyQuery = (accountId: string) =>
  queryOptions({
    queryKey: [...callingPolicyKey(accountId), 'in-force'],
    queryFn: ({ signal }) =>
      request({ path: callingPolicyPath(accountId), schema: callingPolicyEnvelopeSchema, signal }),
  });

/** What the policy is asked. */
export interface PolicyQuestion {
  readonly number: E164;
  /** With an offset. Undefined: now. */
  readonly at?: string | undefined;
  /** The callee's, as the user gives it. Undefined: only the number says where the callee is. */
  readonly zone?: string | undefined;
}

/** What the policy says of a call. A question of null is not asked. */
export const policyCheckQuery = (accountId: string, question: PolicyQuestion | null) =>
  queryOptions({
    queryKey: [...callingPolicyKey(accountId), 'check', question],
    queryFn: ({ signal }) => askPolicy(accountId, question, signal),
    enabled: question !== null,
  });

function askPolicy(
  accountId: string,
  question: PolicyQuestion | null,
  signal: AbortSignal,
): Promise<CallingPolicyCheckBody> {
  const { number, at, zone } = question ?? {};
  return request({
    method: 'POST',
    path: callingPolicyPath(accountId, 'check'),
    body: { number, at, callee_time_zone: zone },
    schema: callingPolicyCheckSchema,
    signal,
  });
}
