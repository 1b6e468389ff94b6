import type { MessagePort } from 'node:worker_threads';
import type { Clock, Logger } from '@outdial/kernel';
import type { CallModels } from '../model-thread/call-models.ts';
import { createModelThread, type ModelThread } from '../model-thread/start-model-thread.ts';
import type { WorkerConfig } from '../settings/config.ts';

/** The model thread of this worker. `onBridge` receives its bridge to the agents. */
export function openModels({
  config,
  clock,
  logger,
  onBridge,
  calls,
}: {
  readonly config: WorkerConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onBridge: (bridge: MessagePort, onSilent: () => void) => void;
  readonly calls: CallModels;
}): ModelThread {
  return createModelThread({
    clock,
    logger,
    onBridge,
    calls,
    // As text: the parsed networks do not cross threads.
    egressAllow: config.OUTDIAL_EGRESS_ALLOW.map(([address, bits]) => `${address.toString()}/${bits}`).join(','),
    egressProxy: config.OUTDIAL_EGRESS_PROXY?.href ?? null,
    logLevel: config.LOG_LEVEL,
    modelLog: config.OUTDIAL_MODEL_LOG,
  });
}
