import { describe } from 'vitest';
import { stageForEach } from '../stage-for-each.ts';
import type { GateStage } from './gate-stage.ts';
import { enlargeCases, releaseCases } from './hold-cases.ts';
import { accountCases, systemCases } from './limit-cases.ts';
import { publishCases, rebuildCases } from './rebuild-cases.ts';
import { reserveCases } from './reserve-cases.ts';

/** What every `Gate` promises. */
export function describeGate(name: string, open: () => Promise<GateStage>): void {
  describe(`a gate: ${name}`, () => {
    const stage = stageForEach(open);
    const gate = () => stage().gate;
    reserveCases(gate);
    enlargeCases(gate);
    releaseCases(gate);
    accountCases(gate);
    systemCases(gate);
    rebuildCases(stage);
    publishCases(stage);
  });
}
