import {
  createEndCall,
  type AccountLimits,
  type CallReader,
  type EndCallOutcome,
  type OpenBreaker,
  type SystemLimits,
} from '@outdial/calls';
import type { AccountId, CallId } from '@outdial/contracts';
import { createUserAdministration, type UserAdministration } from '@outdial/identity/users';
import { createEgressClient, egressEnv, type EgressClient } from '@outdial/egress';
import { parseEnv, type Clock } from '@outdial/kernel';
import {
  administerCampaigns,
  administerWebhooks,
  createAdministration,
  createCallReader,
  createDatabase,
  createEndStore,
  createWebhookEndpoints,
  type Administration,
  type CampaignAdministration,
  type WebhookAdministration,
  type WebhookEndpoints,
} from '@outdial/persistence';
import type { SecretKey, KeyPepper } from '@outdial/secrets';
import { CliError } from '../cli-error.ts';
import { readDemo, type StoredDemo } from '../instance/demo-file.ts';
import { findKeyPepper } from '../instance/key-pepper.ts';
import { ensureSecretKey, findSecretKey } from '../instance/secret-key.ts';
import { hasSealedSecrets } from '../instance/secrets-in-use.ts';
import { createCallAudit } from './call-audit.ts';
import type { StoreAddress } from './find-stores.ts';
import { connectGate } from './gate-connection.ts';

/** What a command works with while it runs. */
export interface AdminSession {
  readonly administration: Administration;
  /** Administers the users of the dashboard. */
  readonly users: UserAdministration;
  readonly clock: Clock;
  readonly reader: CallReader;
  /** Standard input, for settings that are piped in. */
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly env: NodeJS.ProcessEnv;
  /** For checks of credentials. */
  readonly egress: Pick<EgressClient, 'check' | 'request' | 'connect'>;
  /** The demo account of the `npm start` that uses the data folder. */
  demo(): Promise<StoredDemo>;
  /** The account that a call belongs to; operators name a call by its id alone. */
  ownerOf(callId: CallId): Promise<AccountId>;
  endCall(input: { readonly accountId: AccountId; readonly callId: CallId }): Promise<EndCallOutcome>;
  keyPepper(): Promise<KeyPepper>;
  /** The key that seals the trunks' passwords, credentials and secrets. */
  secretKey(): Promise<SecretKey>;
  /**
   * Applies a change to the gate at once. Returns a note when the change has to wait for the workers' next
   * comparison.
   */
  refreshAccount(limits: AccountLimits): Promise<readonly string[]>;
  refreshSystem(limits: SystemLimits): Promise<readonly string[]>;
  /** Models that take no calls now; null if Redis does not answer. */
  readonly openBreakers: () => Promise<readonly OpenBreaker[] | null>;
  /** The webhook endpoints of all accounts, and the switch of all webhooks. */
  readonly webhooks: WebhookAdministration;
  campaignsOf(accountId: AccountId): CampaignAdministration;
  /** The webhooks of an account. */
  webhooksOf(accountId: AccountId): WebhookEndpoints;
  /** Signals the workers to look for changes, which they otherwise do every second. */
  hurryWorkers(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly stores: StoreAddress;
  /** The name that the audit records for the session's changes. */
  readonly actor: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly clock: Clock;
}

/** An import of a large deck is one statement. */
const QUERY_TIMEOUT_MS = 60_000;

export function openSession({ stores, actor, env, stdin, clock }: SessionOptions): AdminSession {
  const database = createDatabase({
    url: stores.databaseUrl,
    poolSize: 1,
    readPoolSize: 2,
    queryTimeoutMs: QUERY_TIMEOUT_MS,
    connectTimeoutMs: 5_000,
  });
  const reader = createCallReader(database);
  const audit = createCallAudit(database, actor);
  const gate = connectGate(stores.redis);
  const administration = createAdministration(database, { actor });
  const { OUTDIAL_EGRESS_ALLOW: allowed, OUTDIAL_EGRESS_PROXY: proxy = null } = parseEnv(egressEnv, env);
  const egress = createEgressClient({ allowed, proxy, clock });
  return {
    administration,
    users: createUserAdministration(database, { actor }),
    clock,
    reader,
    stdin,
    env,
    egress,
    async demo() {
      const demo = await readDemo(stores.dataFolder.demoPath);
      if (demo) return demo;
      throw new CliError(`There is no demo account in ${stores.dataFolder.path}: \`npm start\` creates it.`);
    },
    ownerOf: (callId) => audit.ownerOf(callId),
    async endCall(input) {
      await audit.recordEnd(input.callId);
      const endCall = createEndCall({ store: createEndStore(database), reader, ...(await gate.forEnding()) });
      return endCall(input);
    },
    async keyPepper() {
      const pepper = await findKeyPepper(stores.dataFolder, env);
      if (pepper) return pepper;
      throw new CliError('The key pepper is not known: set OUTDIAL_KEY_PEPPER to the one that the API runs with.');
    },
    async secretKey() {
      // With a database of the user's own, workers run elsewhere: they would not have a key that is generated here.
      if (!env['DATABASE_URL']) {
        const rule = { isNeeded: () => hasSealedSecrets(administration), isDiscarded: false };
        return ensureSecretKey(stores.dataFolder, env, rule);
      }
      const key = await findSecretKey(stores.dataFolder, env);
      if (key) return key;
      throw new CliError('The secret key is not known: set OUTDIAL_SECRET_KEY to the one that the workers run with.');
    },
    refreshAccount: (limits) => gate.refresh((open) => open.refreshAccount(limits)),
    refreshSystem: (limits) => gate.refresh((open) => open.refreshSystem(limits)),
    openBreakers: () => gate.openBreakers(),
    webhooks: administerWebhooks({ database, actor }),
    campaignsOf: (accountId) => administerCampaigns({ database, accountId, actor }),
    webhooksOf: (accountId) => createWebhookEndpoints(database, { accountId, actor }),
    hurryWorkers: () => gate.hurryWorkers(),
    async close() {
      await Promise.all([gate.close(), egress.close()]);
      await database.close();
    },
  };
}
