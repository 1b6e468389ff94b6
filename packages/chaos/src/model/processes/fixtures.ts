import {
  createModelRateDeck,
  createRateDeck,
  type AcceptCallDeps,
  type AccountProfile,
  type Trunk,
} from '@outdial/calls';
import { e164Schema, micros, trunkNameSchema, type AccountId, type AgentId, type E164 } from '@outdial/contracts';
import { accountSeed } from '@outdial/persistence/seeding';
import type { Client } from 'pg';
import type { Profile } from '../profile.ts';
import type { IdSequence } from '../world/id-sequence.ts';

/** A client of the service: its account and its agent. */
export interface Party {
  readonly accountId: AccountId;
  readonly agentId: AgentId;
  readonly account: AccountProfile;
}

const toNumbers = (texts: readonly string[]) => texts.map((text) => e164Schema.parse(text));
const CALLEES = toNumbers(['+12025550143', '+12025550144', '+12025550145']);
/** In Washington; in Tennessee, whose east is an hour ahead of its west; in Washington. */
const CALLEES_IN_ZONES = toNumbers(['+12025550143', '+14235550144', '+12025550145']);
/** Of warm transfers: it has another rate than the callees, whose prefix it has too. */
export const DESTINATION = e164Schema.parse('+13105550177');
const CALLER = e164Schema.parse('+12025550100');
const CURRENCY = 'USD';

/** A micro per second and five per connection: amounts stay small enough to read. */
const DECK = createRateDeck({
  currency: CURRENCY,
  version: 1,
  rates: [
    {
      prefix: '1',
      connectionFeeMicros: micros(5),
      pricePerMinuteMicros: micros(60),
      initialIncrementSeconds: 10,
      incrementSeconds: 10,
    },
    {
      prefix: '1310',
      connectionFeeMicros: micros(7),
      pricePerMinuteMicros: micros(120),
      initialIncrementSeconds: 5,
      incrementSeconds: 5,
    },
  ],
});

export const RING_TIMEOUT_SECONDS = 20;
const LONGEST_CALL_SECONDS = 600;

/** The telephones that requests of this profile ask for. */
export function calleesOf({ callees, caps }: Pick<Profile, 'callees' | 'caps'>): readonly E164[] {
  return (caps === null ? CALLEES : CALLEES_IN_ZONES).slice(0, callees);
}

export async function openAccounts(client: Client, profile: Profile, ids: IdSequence): Promise<readonly Party[]> {
  await client.query('UPDATE system_settings SET capacity = $1', [profile.systemCapacity]);
  const parties: Party[] = [];
  for (const balance of profile.balances) {
    const { account, plantIn } = accountSeed({
      ids: { account: ids.accountId(), agents: [ids.agentId()] },
      balanceMicros: BigInt(balance),
      capacity: profile.accountCapacity,
      number: null,
      rate: null,
    });
    await plantIn((text, values) => client.query(text, [...values]));
    parties.push({ accountId: account.id, agentId: account.agentId, account: accountProfile(account.id) });
  }
  return parties;
}

function accountProfile(id: AccountId): AccountProfile {
  return {
    id,
    name: 'Acme',
    currency: CURRENCY,
    enabled: true,
    mayUseSystemNumber: false,
    maxDurationSeconds: LONGEST_CALL_SECONDS,
    ringTimeoutSeconds: RING_TIMEOUT_SECONDS,
    outboundNumbers: [CALLER],
    blockedPrefixes: [],
    policies: { policy: null, floor: null },
  };
}

/** Every process keeps it in memory, at most a second old: it cannot fail here. */
export const DIRECTORY: AcceptCallDeps['directory'] = {
  findAgent: (_accountId, id) => Promise.resolve({ id, version: 1, requiredVariables: [], conducted: null }),
  systemNumber: () => Promise.resolve(null),
  rateDeck: () => Promise.resolve(DECK),
  modelRateDeck: (currency) => Promise.resolve(createModelRateDeck({ currency, version: 0, rates: [] })),
};

export function modelTrunk(channels: number): Trunk {
  return {
    name: trunkNameSchema.parse('main'),
    uri: 'sip:trunk.example',
    transport: 'udp',
    outboundProxy: null,
    credentials: null,
    channels,
    callsPerSecond: 1_000,
    callerId: { prefixes: [], asserted: false },
    numberFormat: 'e164',
    codecs: ['PCMU'],
    priority: 10,
    weight: 10,
    enabled: true,
    healthCheck: 'options',
    mediaSource: 'sdp_host',
    transfers: 'none',
  };
}
