import { callIdSchema, type CallId } from '@outdial/contracts';
import type { Logger } from '@outdial/kernel';
import type { GateOptions } from './gate.ts';
import { gateKeys } from './keys.ts';
import type { RedisClient } from './redis-client.ts';
import type { ScriptContext } from './scripts/define-script.ts';
import { leaveMonitorPlace, takeMonitorPlace, type MonitorPlace } from './scripts/monitor-places.ts';

export type { MonitorPlace } from './scripts/monitor-places.ts';

/** How long a place stays taken after its last renewal, whatever crashes. */
export const MONITOR_LEASE_MS = 15_000;

/** Bounds how many members of an account listen to live calls at once. Separate from the gate: no call depends on it. */
export interface MonitorPlaces {
  /** Takes a place, or renews its lease. The worker of the call then sends sound for the time of the lease. */
  take(place: MonitorPlace): Promise<'taken' | 'full'>;
  /** Frees the place. Idempotent. */
  leave(place: MonitorPlace): Promise<void>;
}

export interface MonitorPlacesOptions extends GateOptions {
  /** For each account. */
  readonly places: number;
  readonly leaseMs?: number;
}

export function createMonitorPlaces(options: MonitorPlacesOptions): MonitorPlaces {
  const { places, leaseMs = MONITOR_LEASE_MS } = options;
  const context: ScriptContext = { redis: options.redis, keys: gateKeys(options.keyPrefix) };
  return {
    take: (place) => takeMonitorPlace(context, { ...place, places, leaseMs }),
    async leave(place) {
      await leaveMonitorPlace(context, place);
    },
  };
}

/**
 * Receives from now on for how long a call is listened to, at each renewal and at each end; 0: by no member. `redis` is a
 * connection for subscriptions, and may carry others.
 */
export async function subscribeToMonitors(options: {
  readonly redis: RedisClient;
  readonly logger: Logger;
  readonly keyPrefix?: string;
  readonly onMonitored: (callId: CallId, forMs: number) => void;
}): Promise<void> {
  const { monitors: channel } = gateKeys(options.keyPrefix);
  options.redis.on('message', (heardOn, message) => {
    if (heardOn !== channel) return;
    const [id, ms = ''] = message.split(' ');
    const callId = callIdSchema.safeParse(id);
    if (callId.success && /^\d{1,6}$/.test(ms)) options.onMonitored(callId.data, Number(ms));
    else options.logger.warn({ event: 'queue.signal_rejected' }, 'a signal of monitors names no call');
  });
  await options.redis.subscribe(channel);
}
