import type { CallId } from '@outdial/contracts';
import type { LineLimits } from '../../line.ts';
import type { LineDirectory } from '../../ports/lines.ts';

/** The lines of calls, as a test sets them. */
export class MemoryLineDirectory implements LineDirectory {
  /** Rejects every question. */
  away = false;
  readonly lines = new Map<CallId, readonly LineLimits[]>();

  async linesOf(callId: CallId): Promise<readonly LineLimits[]> {
    if (this.away) throw new Error('Postgres is away');
    const byName = new Map((this.lines.get(callId) ?? []).map((line) => [line.name, line]));
    return [...byName.values()];
  }
}
