import type { AcceptStore } from './ports/accept-store.ts';
import type { DriveStore, EndStore } from './ports/drive-store.ts';
import type { ChangeSignals } from './ports/timeline.ts';

/** Wraps a store: every addition to a call's timeline is announced after its commit. */
export function announcingAcceptStore(store: AcceptStore, signals: ChangeSignals): AcceptStore {
  return {
    ...store,
    async accept(row) {
      const outcome = await store.accept(row);
      if (outcome.kind === 'accepted') signals.publish(row.callId);
      return outcome;
    },
  };
}

/** The same for a driver's store. A write that repeats known facts is announced too; its readers find no new event. */
export function announcingDriveStore(store: DriveStore, signals: ChangeSignals): DriveStore {
  return {
    ...store,
    async claim(input) {
      const outcome = await store.claim(input);
      if (outcome.kind === 'claimed') signals.publish(input.callId);
      return outcome;
    },
    async reclaim(input) {
      const outcome = await store.reclaim(input);
      if (outcome.kind === 'claimed') signals.publish(input.callId);
      return outcome;
    },
    async advance(input) {
      const outcome = await store.advance(input);
      if (outcome.kind === 'written') signals.publish(input.callId);
      return outcome;
    },
    async saveAnsweredBy(input) {
      const outcome = await store.saveAnsweredBy(input);
      if (outcome.kind === 'written') signals.publish(input.callId);
      return outcome;
    },
    async enlargeHold(input) {
      const outcome = await store.enlargeHold(input);
      if (outcome.kind === 'enlarged') signals.publish(input.callId);
      return outcome;
    },
    async settle(settlement) {
      const outcome = await store.settle(settlement);
      if (outcome.kind === 'settled') signals.publish(settlement.callId);
      return outcome;
    },
    async endQueued(input) {
      const releases = await store.endQueued(input);
      for (const { callId } of releases) signals.publish(callId);
      return releases;
    },
    async takeOver(input) {
      const calls = await store.takeOver(input);
      for (const { id } of calls) signals.publish(id);
      return calls;
    },
  };
}

/** The same for the store that takes requests to end calls. */
export function announcingEndStore(store: EndStore, signals: ChangeSignals): EndStore {
  return {
    ...store,
    async requestEnd(input) {
      const outcome = await store.requestEnd(input);
      if (outcome.kind === 'requested' || outcome.kind === 'cancelled') signals.publish(input.callId);
      return outcome;
    },
  };
}
