import { e164Schema, type E164 } from '@outdial/contracts';
import type { AcquireOutcome } from '../src/ports/trunks.ts';
import type { TrunkDeps } from '../src/trunks/dial-attempts.ts';
import type { Trunk } from '../src/trunk.ts';
import { trunkOf } from '../src/testing/trunks/trunk-of.ts';

type ChannelsDep = TrunkDeps['trunkChannels'];
type Take = Parameters<ChannelsDep['take']>[0];
type Attempt = Parameters<TrunkDeps['attempts']['beginAttempt']>[0];

const TOKEN = { generation: 1, walTimeline: '00000001' };

/** The channels of a gate and the dial attempts of a store, controlled by the test. */
export class TrunkWorld implements TrunkDeps {
  readonly log: unknown[] = [];
  readonly written: string[] = [];
  readonly full = new Set<string>();
  trunks: readonly Trunk[] = [trunkOf({ name: 'main' }), trunkOf({ name: 'spare', priority: 20 })];
  gate: 'open' | 'closed' | 'not_held' | 'away' = 'open';
  fenced = false;
  staleWrites = 0;
  /** Dialing is paused, or the number is on a do-not-call list. */
  paused = false;
  /** The gate was rebuilt, and its channels have not been restored yet. */
  stale = false;
  restores = 0;
  /** How long a trunk must not be dialed yet. */
  paceMs = 0;
  /** The answer before the claim; by default the first trunk is available. */
  acquisition: AcquireOutcome | undefined;
  beforeWrite: () => void = () => undefined;
  readonly trunkDirectory = { all: async () => this.trunks };
  health: TrunkDeps['health'] = { isUp: () => true, tryProbe: async () => false };
  trunkChannels: ChannelsDep = {
    acquire: ({ trunks }) => this.#acquire(trunks),
    take: (input) => this.#take(input),
    restore: async () => {
      this.restores += 1;
      this.stale = false;
      return 'restored';
    },
  };
  callerNumber: E164 | null = e164Schema.parse('+12025550199');
  callerNumberReads = 0;
  readonly attempts = {
    beginAttempt: (input: Attempt) => this.#write(input),
    takenChannels: async () => [],
    callerNumberOf: async () => {
      this.callerNumberReads += 1;
      return this.callerNumber;
    },
  };

  async #acquire(trunks: Parameters<ChannelsDep['acquire']>[0]['trunks']): ReturnType<ChannelsDep['acquire']> {
    if (this.stale) return { kind: 'stale', token: TOKEN };
    const [first] = trunks;
    if (this.acquisition) return this.acquisition;
    return first ? { kind: 'acquired', trunk: first.name } : { kind: 'not_held' };
  }

  async #take({ callId, reservationId, trunk }: Take): ReturnType<ChannelsDep['take']> {
    if (this.gate === 'away') throw new Error('Redis is away');
    if (this.gate !== 'open') return { kind: this.gate };
    if (this.stale) return { kind: 'stale', token: TOKEN };
    if (this.full.has(trunk.name)) return { kind: 'full' };
    if (this.paceMs > 0) return { kind: 'wait', forMs: this.paceMs };
    this.log.push({ kind: 'take', callId, reservationId, trunk: trunk.name });
    return { kind: 'taken', token: TOKEN };
  }

  async #write({ trunk, dialog, number, carrier, epoch, token }: Attempt) {
    this.beforeWrite();
    if (this.fenced) return { kind: 'fenced' as const };
    if (this.staleWrites > 0) {
      this.staleWrites -= 1;
      return { kind: 'gate_stale' as const };
    }
    if (this.paused) return { kind: 'paused' as const };
    this.log.push({ kind: 'write', trunk, dialog, number, carrier, epoch, generation: token.generation });
    this.written.push(`${trunk} ${number}`);
    return { kind: 'written' as const, endRequested: false };
  }
}
