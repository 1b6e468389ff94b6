import type { Driver } from '@outdial/contracts';
import { accountId, callId, DriveWorld, reservationId, type DriveWorldOptions } from './drive-world.ts';
import { TIMELINE } from '../src/testing/gate/gate-fixture.ts';
import { CONDUCTED } from '../src/testing/conducted-calls.ts';
import { describeDriveStore } from '../src/testing/drive/describe-drive-store.ts';
import { describeTurnStore } from '../src/testing/drive/turn-cases.ts';
import { describeUsageStore } from '../src/testing/drive/usage-cases.ts';

async function stage(options: DriveWorldOptions) {
  const { store } = new DriveWorld(options);
  const { holdMicros, balanceMicros } = store;
  return {
    store,
    call: { id: callId, accountId, reservationId, holdMicros },
    balanceMicros,
    token: async () => ({ generation: store.generation, walTimeline: TIMELINE }),
    nextGeneration: async () => void (store.generation += 1),
    requestEnd: async () => void (store.endRequested = true),
    expireInQueue: async () => void (store.queueExpired = true),
    conduct: async (driver: Driver) => void (store.driver = driver),
    linesOfCall: async () => store.lines,
    optOut: async () => store.optOutStored ?? null,
    suppress: async () => void (store.suppressed = true),
    closeHours: async () => void (store.hoursClosed = true),
    reachCap: async () => void (store.capped = true),
    pauseDialing: async () => void (store.paused = true),
    close: async () => undefined,
  };
}

describeDriveStore('in memory', () => stage({}));
describeUsageStore('in memory', () => stage({ conducted: CONDUCTED }));
describeTurnStore('in memory', () => stage({}));
