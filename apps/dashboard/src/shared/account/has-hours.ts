import { hasHours } from '@outdial/policies';
import { useQuery } from '@tanstack/react-query';
import { callingPolicyQuery } from './calling-policy.ts';

/** Whether the account's calling policy, or its operator's, closes any hour. False until that is known. */
export function useHasHours(accountId: string): boolean {
  const { data } = useQuery(callingPolicyQuery(accountId));
  const rules = data === undefined ? [] : [data.calling_policy, data.floor];
  return rules.some((each) => each !== null && hasHours(each));
}
