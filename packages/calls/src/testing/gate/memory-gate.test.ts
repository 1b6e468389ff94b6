import { describeGate } from './describe-gate.ts';
import { MemoryGate } from './memory-gate.ts';

describeGate('in memory', async () => {
  let nowMs = 0;
  const gate = new MemoryGate({ monotonicMs: () => nowMs });
  return {
    gate,
    passRebuildTime: async () => void (nowMs += 10_001),
    loseContents: async () => gate.model.flush(),
    close: async () => undefined,
  };
});
