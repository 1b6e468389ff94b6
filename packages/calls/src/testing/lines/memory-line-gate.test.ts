import { describeBreakers } from './describe-breakers.ts';
import { describeLineGate, type LineGateStage } from './describe-line-gate.ts';
import { MemoryLineGate } from './memory-line-gate.ts';

async function open(): Promise<LineGateStage> {
  let nowMs = 1_000_000;
  const gate = new MemoryLineGate(() => nowMs);
  const token = { generation: 1, walTimeline: '00000001' };
  return {
    lines: gate,
    breakers: gate.breakers,
    token,
    pass: async (durationMs) => void (nowMs += durationMs),
    hold: async (callId, accountId, reservationId) => void gate.holds.set(callId, { accountId, reservationId }),
    release: async (callId) => gate.release(callId),
    acquireChannel: async (callId, trunks) => gate.acquireChannel(callId, trunks),
    rebuild: async () => {
      gate.areLinesRestored = false;
      return (gate.token = { ...token, generation: 2 });
    },
    closeGate: async () => void (gate.token = null),
    close: async () => undefined,
  };
}

describeLineGate('in memory', open);
describeBreakers('in memory', open);
