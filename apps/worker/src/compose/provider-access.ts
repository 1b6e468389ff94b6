import type { ProviderAccess } from '@outdial/analysis';
import type { CredentialOpener, GenerationLimit } from '@outdial/calls';
import { credentialIdSchema, secretNameSchema, type AccountId } from '@outdial/contracts';
import {
  cachedDirectory,
  createCandidateReader,
  createCredentialDirectory,
  createCredentialSource,
  createDirectory,
  type Database,
} from '@outdial/persistence';
import { providerAddress, type CredentialSource, type ProviderCredential } from '@outdial/providers';
import type { Clock, Logger } from '@outdial/kernel';
import { secretKeyIfAny } from '../settings/sip-settings.ts';
import type { WorkerConfig } from '../settings/config.ts';

/** Opens credentials as the threads that talk to providers need them: with the address of each. */
function createCredentialOpener(source: CredentialSource): CredentialOpener {
  return {
    async open(accountId, credentialIds) {
      const found = await Promise.all(credentialIds.map((id) => source.open(accountId, credentialIdSchema.parse(id))));
      return found.flatMap((credential) => {
        if (credential === null) return [];
        const { id: credentialId, provider, apiKey } = credential;
        const baseUrl = providerAddress(credential);
        // A region that only a newer version knows: what is said may not leave it.
        if (baseUrl === null) return [];
        const generations = generationsOf(credential, accountId);
        return [{ credentialId, provider, apiKey, baseUrl, ...(generations && { generations }) }];
      });
    },
    openSecrets: (accountId, names) =>
      names.length === 0
        ? Promise.resolve(new Map())
        : source.openSecrets(
            accountId,
            names.map((name) => secretNameSchema.parse(name)),
          ),
  };
}

function generationsOf(credential: ProviderCredential, accountId: AccountId): GenerationLimit | null {
  const { id, accountId: owner, limitsGroup, maxGenerations: most } = credential;
  if (most === null) return null;
  // A group belongs to its owner.
  const key = limitsGroup === null ? id : `${owner ?? 'operator'}.${limitsGroup}`;
  return { key, most, isShared: owner === null, accountId };
}

/** A worker without a secret key opens nothing: it drives scripted calls alone. */
const NOTHING_OPENS: CredentialOpener = { open: async () => [], openSecrets: async () => new Map() };

/** What this worker knows of providers: keys, and the prices of models. Choices and prices may be a second old. */
export async function openProviderAccess({
  config,
  database,
  clock,
  logger,
}: {
  readonly config: WorkerConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}): Promise<ProviderAccess> {
  const secretKey = await secretKeyIfAny(config);
  const onUnreadable = (error: Error) =>
    logger.error({ event: 'credential.unreadable', err: error }, 'a credential or secret cannot be opened');
  const opener = secretKey
    ? createCredentialOpener(createCredentialSource(database, { secretKey, onUnreadable }))
    : NOTHING_OPENS;
  const credentials = createCredentialDirectory(createCandidateReader(database), clock);
  const directory = cachedDirectory(createDirectory(database), clock);
  return {
    opener,
    chooser: {
      async choose(wanted) {
        const found = await credentials.find(wanted);
        return found && { credentialId: found.id, isOwn: found.accountId !== null };
      },
    },
    prices: {
      async ratesOf({ currency, provider, model }) {
        const deck = await directory.modelRateDeck(currency);
        return deck.find({ component: 'llm', provider, model }).map(({ unit, priceMicrosPerMillion }) => ({
          component: 'llm',
          provider,
          model,
          unit,
          priceMicrosPerMillion,
        }));
      },
    },
  };
}
