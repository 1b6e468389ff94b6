import type { AccountId } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { administerRequests, type RequestAdministration } from './account-requests.ts';
import { listAudit, type AuditPage, type AuditRecord } from '../read/list-audit.ts';
import { administerAccounts, type AccountAdministration } from './accounts.ts';
import { administerSecrets, type SecretAdministration } from './account-secrets.ts';
import { administerAgents, type AgentAdministration } from './agents.ts';
import { administerBlockedDestinations, type BlockedDestinationAdministration } from './blocked-destinations.ts';
import { administerPolicies, type PolicyAdministration } from './calling-policies.ts';
import { administerCapacity, type CapacityAdministration } from './capacity.ts';
import { administerCredentials, type CredentialAdministration } from './credentials.ts';
import { administerDialling, type DiallingAdministration } from './dialling.ts';
import { administerKeys, type KeyAdministration } from './keys.ts';
import { administerNumbers, type NumberAdministration } from './numbers.ts';
import { administerModelRates, type ModelRateAdministration } from './model-rates.ts';
import { administerRetention, type RetentionAdministration } from './retention.ts';
import { administerRates, type RateAdministration } from './rates.ts';
import { administerSuppressions, type SuppressionAdministration } from './suppressions.ts';
import { administerTrunkTests, type TrunkTestAdministration } from './trunk-tests.ts';
import { administerTrunks, type TrunkAdministration } from './trunks.ts';
import { administerWallets, type WalletAdministration } from './wallets.ts';
import { administerWorkers, type WorkerAdministration } from './workers.ts';

/**
 * What an operator may change. Every change is audited by the statement that makes it. A change of something that does
 * not exist, or that would break a rule, is rejected with a `Refusal`.
 */
export interface Administration {
  readonly accounts: AccountAdministration;
  readonly keys: KeyAdministration;
  readonly agents: AgentAdministration;
  readonly numbers: NumberAdministration;
  readonly blockedDestinations: BlockedDestinationAdministration;
  readonly policies: PolicyAdministration;
  readonly rates: RateAdministration;
  readonly modelRates: ModelRateAdministration;
  readonly wallets: WalletAdministration;
  readonly capacity: CapacityAdministration;
  readonly dialling: DiallingAdministration;
  readonly trunks: TrunkAdministration;
  readonly trunkTests: TrunkTestAdministration;
  readonly requests: RequestAdministration;
  readonly retention: RetentionAdministration;
  readonly workers: WorkerAdministration;
  /** The credentials of an account; null: the operator's, which every account may use. */
  readonly credentialsOf: (owner: AccountId | null) => CredentialAdministration;
  readonly secretsOf: (accountId: AccountId) => SecretAdministration;
  /** The do-not-call list of an account; null: the platform's. */
  readonly suppressionsOf: (owner: AccountId | null) => SuppressionAdministration;
  /** Whether a stored value depends on the secret key, apart from the passwords of trunks. */
  hasSealedSecrets(): Promise<boolean>;
  /** Audit entries, newest first. */
  audit(page: AuditPage & { readonly accountId?: AccountId | undefined }): Promise<readonly AuditRecord[]>;
}

/** `actor` made the changes; the audit records it. */
export function createAdministration(database: Database, { actor }: { readonly actor: string }): Administration {
  const context = { database, actor };
  return {
    accounts: administerAccounts(context),
    keys: administerKeys(context),
    agents: administerAgents(context),
    numbers: administerNumbers(context),
    blockedDestinations: administerBlockedDestinations(context),
    policies: administerPolicies(context),
    rates: administerRates(context),
    modelRates: administerModelRates(context),
    wallets: administerWallets(context),
    capacity: administerCapacity(context),
    dialling: administerDialling(context),
    trunks: administerTrunks(context),
    trunkTests: administerTrunkTests(context),
    requests: administerRequests(context),
    retention: administerRetention(context),
    workers: administerWorkers(context),
    credentialsOf: (owner) => administerCredentials(context, owner),
    secretsOf: (accountId) => administerSecrets(context, accountId),
    suppressionsOf: (owner) => administerSuppressions(context, owner),
    hasSealedSecrets: () => hasSealedSecrets(database),
    audit: (page) => listAudit(database, page),
  };
}

async function hasSealedSecrets({ side }: Database): Promise<boolean> {
  const [row] = await side.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM provider_credentials) OR EXISTS (SELECT FROM account_secrets)
      OR EXISTS (SELECT FROM webhook_endpoints WHERE deleted_at IS NULL) AS found`;
  return row?.found === true;
}
