import { createEndCall, type Gate } from '@outdial/calls';
import type { CallId } from '@outdial/contracts';
import { createCallReader, createEndStore, type Database } from '@outdial/persistence';
import type { Process } from '../world/process.ts';
import type { World } from '../world/world.ts';

export interface ModelEndingInput {
  readonly process: Process;
  readonly database: Database;
  readonly gate: Gate;
}

/** Requests ends of calls, as an API does, and the sweep of campaigns. */
export function modelEnding(world: World, { process, database, gate }: ModelEndingInput) {
  return createEndCall({
    store: createEndStore(database),
    reader: createCallReader(database),
    gate,
    signals: { publish: (callId) => hurry(world, process, callId) },
  });
}

/** Signals every worker, best effort. */
function hurry(world: World, process: Process, callId: CallId): Promise<void> {
  return world.wire.send(process, 'redis', 'hurry an end', async () => {
    for (const worker of world.workers) if (worker.process.state === 'running') worker.endRequested(callId);
  });
}
