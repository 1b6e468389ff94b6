import type { AgentId, E164 } from '@outdial/contracts';
import type { CallLimits } from '../call.ts';
import type { CredentialDirectory } from '../ports/credential-directory.ts';
import type { AccountProfile, Directory, UsableAgent } from '../ports/directory.ts';
import {
  chooseCallerNumber,
  limitsInForce,
  paramsBeyondBounds,
  unusableAgent,
  type AskedLimits,
  type AuthorizationDirectory,
  type CallRefusal,
} from './authorize-call.ts';
import { planModels } from './plan-models.ts';

/** What the calls of a campaign have in common. */
export interface AskedCampaign extends AskedLimits {
  readonly agent_id: AgentId;
  readonly from_number?: E164 | undefined;
}

export interface PlannedCampaign {
  readonly kind: 'planned';
  readonly agent: UsableAgent;
  readonly callerNumber: E164;
  readonly limits: CallLimits;
}

export type CampaignRefusal = Exclude<CallRefusal, { readonly kind: 'destination_not_allowed' }>;

export interface PlanCampaignDeps {
  readonly directory: AuthorizationDirectory & Pick<Directory, 'findAgent'>;
  readonly credentials: CredentialDirectory;
}

export type PlanCampaign = (
  account: AccountProfile,
  asked: AskedCampaign,
) => Promise<PlannedCampaign | CampaignRefusal>;

/** May this account place such calls? As for a call, but for its callee, which is asked when each is admitted. Writes nothing. */
export function createPlanCampaign({ directory, credentials }: PlanCampaignDeps): PlanCampaign {
  return async (account, asked) => {
    const invalid = paramsBeyondBounds(account, asked);
    if (invalid) return invalid;
    const agent = await directory.findAgent(account.id, asked.agent_id);
    if (agent === null) return { kind: 'agent_access_denied' };
    const unusable = unusableAgent(agent);
    if (unusable) return unusable;
    const models = agent.conducted && (await planModels({ directory, credentials }, account, agent.conducted));
    if (models && models.kind !== 'planned') return models;
    const callerNumber = await chooseCallerNumber(directory, account, asked.from_number);
    if (typeof callerNumber !== 'string') return callerNumber;
    return { kind: 'planned', agent, callerNumber, limits: limitsInForce(account, asked, agent) };
  };
}
