import type { CallingPolicySettings } from '@outdial/contracts';
import { invariant } from '@outdial/kernel';
import { saveCallingPolicy, type SavedPolicy } from '../administration/save-calling-policy.ts';
import { checkPolicy, type PolicyAnswer, type PolicyQuestion } from '../policies/check-policy.ts';
import type { CallingPolicyRecord } from '../policies/policy-record.ts';
import {
  listPolicyVersions,
  readPolicyInForce,
  type PolicyInForce,
  type PolicyVersionPage,
} from '../policies/read-policies.ts';
import { lookAgain } from '../schedule/look-again.ts';
import type { OwnContext } from './own-context.ts';

/** When, and how often, the account calls. From the commit of a policy, no dial against it begins more than a second later. */
export interface OwnCallingPolicy {
  inForce(): Promise<PolicyInForce>;
  /** As the next version, unless it is in force already. */
  save(settings: CallingPolicySettings): Promise<SavedPolicy>;
  /**
   * After another policy was saved: has it asked about the calls that wait for the calling hours or for a cap. Without it, they
   * wait until the time that the earlier policy said. Takes long for many calls. @returns how many calls
   */
  lookAgain(): Promise<number>;
  /** Newest first. */
  versions(page: PolicyVersionPage): Promise<readonly CallingPolicyRecord[]>;
  check(question: PolicyQuestion): Promise<PolicyAnswer>;
}

export function ownCallingPolicy(context: OwnContext): OwnCallingPolicy {
  const { accountId, database } = context;
  return {
    inForce: async () => existing(await readPolicyInForce(database, accountId)),
    save: async (settings) => existing(await saveCallingPolicy(context, accountId, settings)),
    lookAgain: () => lookAgain(database, accountId),
    versions: (page) => listPolicyVersions(database, accountId, page),
    check: async (question) => existing(await checkPolicy(database, accountId, question)),
  };
}

/** Accounts are never deleted. */
function existing<Value>(found: Value | null): Value {
  invariant(found !== null, 'the account exists');
  return found;
}
