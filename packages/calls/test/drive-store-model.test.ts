import { accountId, callId, DriveWorld, reservationId } from './drive-world.ts';
import { TIMELINE } from '../src/testing/gate/gate-fixture.ts';
import { describeDriveStore } from '../src/testing/drive/describe-drive-store.ts';

describeDriveStore('in memory', async () => {
  const { store } = new DriveWorld();
  const { holdMicros, balanceMicros } = store;
  return {
    store,
    call: { id: callId, accountId, reservationId, holdMicros },
    balanceMicros,
    token: async () => ({ generation: store.generation, walTimeline: TIMELINE }),
    nextGeneration: async () => void (store.generation += 1),
    requestEnd: async () => void (store.endRequested = true),
    expireInQueue: async () => void (store.queueExpired = true),
    pauseDialing: async () => void (store.paused = true),
    close: async () => undefined,
  };
});
