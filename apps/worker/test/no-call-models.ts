import type { CallModels } from '../src/model-thread/call-models.ts';

/** For a worker of scripted calls. */
export const NO_CALL_MODELS: CallModels = {
  add: () => undefined,
  remove: () => undefined,
  used: () => undefined,
  nearLimit: () => undefined,
  takeLine: async () => false,
  openBreakers: async () => [],
};
