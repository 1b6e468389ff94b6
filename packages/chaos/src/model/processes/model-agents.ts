import { createModelRateDeck, type AcceptCallDeps, type ModelRate } from '@outdial/calls';
import { micros, type AccountId } from '@outdial/contracts';
import type { Profile } from '../profile.ts';
import { TOKENS } from '../world/model-usage.ts';
import { DIRECTORY } from './fixtures.ts';

/** A token costs one micro, and a minute is expected to cost 30. */
const MODEL_RATES: readonly ModelRate[] = [
  { ...TOKENS, priceMicrosPerMillion: micros(1_000_000), estimateMicrosPerMinute: micros(30) },
];

const NEED = { ...TOKENS, credential: null, isFallback: false, path: 'llm' };

const CONDUCTED = { driver: 'realtime', needs: [NEED], maxDurationSeconds: null } as const;

const CONDUCTED_DIRECTORY: AcceptCallDeps['directory'] = {
  ...DIRECTORY,
  findAgent: (_accountId, id) => Promise.resolve({ id, version: 1, requiredVariables: [], conducted: CONDUCTED }),
  modelRateDeck: (currency) => Promise.resolve(createModelRateDeck({ currency, version: 1, rates: MODEL_RATES })),
};

/** Every second account pays its provider itself. */
export const ownsCredential = (accountId: AccountId): boolean => (Number.parseInt(accountId.slice(-1), 16) & 2) !== 0;

/** What acceptance reads of accounts, agents and credentials; it cannot fail here. */
export function directoriesOf({ hasModels }: Profile): Pick<AcceptCallDeps, 'directory' | 'credentials'> {
  if (!hasModels) return { directory: DIRECTORY };
  return {
    directory: CONDUCTED_DIRECTORY,
    credentials: {
      find: ({ accountId }) =>
        Promise.resolve(ownsCredential(accountId) ? { id: 'own', accountId } : { id: 'operators', accountId: null }),
    },
  };
}
