import {
  checkBreakers,
  createCallDriver,
  createTransferRules,
  rebuildGate,
  reconcile,
  recordOutcome,
  takeLine,
  type CallDriverDeps,
  type DriveStore,
  type RecordingStore,
} from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { InvariantError } from '@outdial/kernel';
import {
  createAcceptStore,
  createDialAttemptStore,
  createDriveStore,
  createReconcileStore,
  createTransferStore,
  type Database,
} from '@outdial/persistence';
import { createDialMarks, createTrunkChannels } from '@outdial/reservations';
import { startProcess } from '../world/process.ts';
import type { Worker, World } from '../world/world.ts';
import { DIRECTORY, modelTrunk } from './fixtures.ts';
import { modelAdmission, modelSweep } from './model-admission.ts';
import { modelLines } from './model-lines.ts';
import { modelCarrier } from './model-carrier.ts';
import { SILENT, storesOf } from './stores-of.ts';

const NO_RECORDINGS: Pick<RecordingStore, 'keyOf' | 'repair'> = {
  keyOf: (callId) => callId,
  repair: () => Promise.resolve(false),
};

/** No provider of a world rejects a key. */
const KEYS = { logger: SILENT, isKeyRejected: async () => false };

/** @param index its place among the workers: the drivers that it knows depend on it. */
export function createWorker(world: World, index: number): Worker {
  world.started += 1;
  const process = startProcess(world.clock, `worker-${world.started}`);
  const { redis, database, gate, queue } = storesOf(world, process);
  const { wire, network, profile, promises } = world;
  const trunk = profile.channels === null ? null : modelTrunk(profile.channels);
  const carrier = modelCarrier({ wire, process, network, trunk });
  const lines = modelLines(world, { process, redis, database, index });
  const deps: CallDriverDeps = {
    carrier,
    gate,
    recordings: NO_RECORDINGS,
    clock: process.clock,
    logger: SILENT,
    workerId: process.name,
    store: driveStoreOf(world, database),
    marks: createDialMarks({ redis }),
    conversations: world.conversations.of(process),
    ...(trunk && {
      trunks: {
        trunkChannels: createTrunkChannels({ redis }),
        trunkDirectory: { all: () => Promise.resolve([trunk]) },
        health: { isUp: () => true, tryProbe: async () => false },
        attempts: createDialAttemptStore(database),
      },
    }),
    transfers: createTransferRules({
      directory: {
        findAccount: async (id) => world.parties.find(({ accountId }) => accountId === id)?.account ?? null,
        rateDeck: DIRECTORY.rateDeck,
      },
      isSuppressed: async () => false,
    }),
    secondLegs: {
      store: createTransferStore(database),
      newLegId: () => world.ids.callId(),
      newReservationId: () => world.ids.reservationId(),
    },
    ...(lines && { lines }),
  };
  const driver = createCallDriver(deps);
  const reconcileDeps = {
    ...deps,
    gate,
    queue,
    acceptStore: createAcceptStore(database, { clock: process.clock }),
    reconcileStore: createReconcileStore(database),
  };
  return {
    process,
    take: (callId) => void drive(callId),
    hear: (leg) => carrier.hear(leg),
    endRequested: (callId) => driver.endRequested(callId),
    reconcile: oneAtATime(() => reconcile(reconcileDeps)),
    rebuild: oneAtATime(() => rebuildGate(reconcileDeps)),
    admit: oneAtATime(modelAdmission(world, { process, database, gate, queue })),
    sweep: oneAtATime(modelSweep(world, { process, database, gate })),
    liveCalls: () => driver.liveCalls(),
    drivers: lines?.drivers ?? ['scripted'],
    openBreaker(breaker, forMs) {
      const opening = { kind: 'open', forMs, isChecked: true, owner: null } as const;
      void lines?.breakers.change(breaker, 0, opening).catch(() => undefined);
    },
    used(model) {
      if (lines) void recordOutcome({ ...KEYS, breakers: lines.breakers }, model).catch(() => undefined);
    },
    checkBreakers(result) {
      const checkCredential = () => Promise.resolve(result);
      if (lines)
        void checkBreakers({ breakers: lines.breakers, checkCredential, logger: SILENT }).catch(() => undefined);
    },
    fallBack(call, line) {
      if (lines) void takeLine({ ...lines, gate, clock: process.clock }, call, line).catch(() => undefined);
    },
  };

  async function drive(callId: CallId): Promise<void> {
    const { jobs } = world.redis.main;
    try {
      const outcome = await driver.drive(callId);
      if (outcome.kind === 'later') jobs.set(callId, 'waiting');
      else jobs.delete(callId);
    } catch (error) {
      if (error instanceof InvariantError || error instanceof TypeError) promises.violate('defect', String(error));
      // A failed job is removed; the call's row is the outbox.
      jobs.delete(callId);
    }
  }
}

/** Remembers what the process knows to be stored. */
function driveStoreOf({ optOuts }: World, database: Database): DriveStore {
  const store = createDriveStore(database);
  return {
    ...store,
    async optOut(input) {
      const outcome = await store.optOut(input);
      optOuts.confirmed.add(input.callId);
      return outcome;
    },
  };
}

/** As the product's loops do: after a failed round comes the next one. */
function oneAtATime(round: () => Promise<unknown>): () => void {
  let underWay = false;
  return () => {
    if (underWay) return;
    underWay = true;
    void round()
      .catch(() => undefined)
      .finally(() => (underWay = false));
  };
}
