import {
  createAdmitDue,
  createSweepCampaigns,
  rebuildGate,
  type AdmissionObserver,
  type CallQueue,
  type Gate,
} from '@outdial/calls';
import {
  createAcceptStore,
  createCampaignSweepStore,
  createReconcileStore,
  createScheduleStore,
  type Database,
} from '@outdial/persistence';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';
import { directoriesOf } from './model-agents.ts';
import { modelEnding, type ModelEndingInput } from './model-ending.ts';
import { SILENT } from './stores-of.ts';

export interface ModelAdmissionInput {
  readonly process: Process;
  readonly database: Database;
  readonly gate: Gate;
  readonly queue: CallQueue;
}

const NOT_OBSERVED: AdmissionObserver = {
  admission: () => undefined,
  late: () => undefined,
  ended: () => undefined,
};

/** A worker's round of admissions. Its turns go on when it has ended. */
export function modelAdmission(
  { parties, profile, ids, policies }: World,
  { process, database, gate, queue }: ModelAdmissionInput,
): () => Promise<void> {
  const { clock } = process;
  const acceptStore = createAcceptStore(database, { clock });
  const reconcileStore = createReconcileStore(database);
  const { directory, ...credentials } = directoriesOf(profile);
  const admitDue = createAdmitDue({
    ...credentials,
    clock,
    logger: SILENT,
    observer: NOT_OBSERVED,
    workerId: process.name,
    directory: {
      ...directory,
      async findAccount(id) {
        const party = parties.find(({ accountId }) => accountId === id);
        return party ? { ...party.account, policies: policies.known(process, id) } : null;
      },
      findAgentVersion: (accountId, id) => directory.findAgent(accountId, id),
    },
    gate,
    queue,
    limits: reconcileStore,
    acceptStore,
    store: createScheduleStore(database),
    newReservationId: () => ids.reservationId(),
    requestRebuild: () => void rebuildGate({ gate, queue, reconcileStore, logger: SILENT }).catch(() => undefined),
  });
  const running = new AbortController();
  return async () => {
    await admitDue.round(running.signal);
    await admitDue.expire(running.signal);
  };
}

/** A worker's sweep of campaigns, as its loops do it one after the other. */
export function modelSweep(world: World, input: ModelEndingInput): () => Promise<void> {
  const store = createCampaignSweepStore(input.database);
  const endCall = modelEnding(world, input);
  const campaigns = createSweepCampaigns({ store, observer: NOT_OBSERVED, endCall, logger: SILENT });
  const running = new AbortController();
  return async () => {
    await campaigns.sweep(running.signal);
    await campaigns.tidy(running.signal);
  };
}
