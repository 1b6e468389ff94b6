import type { AccountProfile, Directory, KeyRecord, ModelRateDeck, RateDeck, UsableAgent } from '@outdial/calls';
import type { E164 } from '@outdial/contracts';
import { createFreshCache, type Clock } from '@outdial/kernel';
import type { DirectorySource } from './directory.ts';

export interface CachedDirectoryOptions {
  /** An older entry is read again. */
  readonly maxAgeMs?: number;
  /** Per kind: keys, accounts, agents, credentials. */
  readonly maxEntries?: number;
}

/** Every process sees a change, such as a key's revocation, within this time. */
export const PROMISED_AGE_MS = 1_000;

/** A `Directory` from the process's memory, never older than a second. */
export function cachedDirectory(
  source: DirectorySource,
  clock: Clock,
  { maxAgeMs = 500, maxEntries = 10_000 }: CachedDirectoryOptions = {},
): Directory {
  const bounds = { clock, maxAgeMs, maxReadMs: PROMISED_AGE_MS, maxEntries };
  const keys = createFreshCache<KeyRecord | null>(bounds);
  const accounts = createFreshCache<AccountProfile | null>(bounds);
  const agents = createFreshCache<UsableAgent | null>(bounds);
  const systemNumbers = createFreshCache<E164 | null>(bounds);
  const decks = createFreshCache<RateDeck>(bounds);
  const modelDecks = createFreshCache<ModelRateDeck>(bounds);

  return {
    findKey: (digest) => keys(digest.toString('hex'), () => source.findKey(digest)),
    findAccount: (accountId) => accounts(accountId, () => source.findAccount(accountId)),
    findAgent: (accountId, agentId) => agents(`${accountId} ${agentId}`, () => source.findAgent(accountId, agentId)),
    findAgentVersion: (accountId, agentId, version) =>
      agents(`${accountId} ${agentId} ${version}`, () => source.findAgentVersion(accountId, agentId, version)),
    systemNumber: () => systemNumbers('', () => source.systemNumber()),
    rateDeck: (currency) =>
      decks(currency, async (previous) => {
        // A deck may have a hundred thousand rates: it is read again only if its version changed.
        const version = await source.rateDeckVersion(currency);
        return previous?.version === version ? previous : source.rateDeck(currency);
      }),
    modelRateDeck: (currency) =>
      modelDecks(currency, async (previous) => {
        const version = await source.modelRateDeckVersion(currency);
        return previous?.version === version ? previous : source.modelRateDeck(currency);
      }),
  };
}
