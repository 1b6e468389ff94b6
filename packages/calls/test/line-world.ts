import type { LineName } from '@outdial/contracts';
import type { LineDeps } from '../src/lines/acquire-lines.ts';
import type { LineLimits } from '../src/line.ts';
import type { LineStore } from '../src/ports/lines.ts';
import { MemoryLineDirectory } from '../src/testing/lines/memory-line-directory.ts';
import { MemoryLineGate } from '../src/testing/lines/memory-line-gate.ts';
import { accountId, callId, reservationId } from './drive-world.ts';

/** The lines of one worker's gate, with one held call; controlled by the test. */
export class LineWorld implements LineDeps {
  nowMs = 0;
  readonly lineGate = new MemoryLineGate(() => this.nowMs);
  readonly lineDirectory = new MemoryLineDirectory();
  drivers: LineDeps['drivers'] = ['scripted', 'realtime'];
  appended: LineName[] = [];
  appending: Awaited<ReturnType<LineStore['appendLine']>> = { kind: 'written', endRequested: false };
  readonly lineStore: LineStore = {
    appendLine: async ({ line }) => {
      this.appended.push(line);
      return this.appending;
    },
    takenLines: async () => [],
  };

  constructor(...needed: readonly LineLimits[]) {
    this.lineGate.holds.set(callId, { accountId, reservationId });
    this.lineDirectory.lines.set(callId, needed);
  }
}
