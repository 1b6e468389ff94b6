import type { CallId } from '@outdial/contracts';
import type { LineLimits } from '../../line.ts';
import type { LineDirectory, ModelAtCredential } from '../../ports/lines.ts';

/** The lines of calls, as a test sets them. */
export class MemoryLineDirectory implements LineDirectory {
  /** Rejects every question. */
  away = false;
  readonly fallbacks = new Map<CallId, { readonly model: ModelAtCredential; readonly line: LineLimits }>();
  readonly lines = new Map<CallId, readonly LineLimits[]>();

  async linesOf(callId: CallId): Promise<readonly LineLimits[]> {
    if (this.away) throw new Error('Postgres is away');
    const byName = new Map((this.lines.get(callId) ?? []).map((line) => [line.name, line]));
    return [...byName.values()];
  }

  /** The same for each agent. */
  planned: readonly LineLimits[] = [];

  async linesOfPlan(): Promise<readonly LineLimits[]> {
    if (this.away) throw new Error('Postgres is away');
    return this.planned;
  }

  lineOfModel(callId: CallId, model: ModelAtCredential): Promise<LineLimits | null> {
    return this.lineOfFallback(callId, model);
  }

  async lineOfFallback(callId: CallId, { credentialId, model }: ModelAtCredential): Promise<LineLimits | null> {
    if (this.away) throw new Error('Postgres is away');
    const known = this.fallbacks.get(callId);
    return known?.model.credentialId === credentialId && known.model.model === model ? known.line : null;
  }
}
