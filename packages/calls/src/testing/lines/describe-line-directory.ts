import type { CallId } from '@outdial/contracts';
import { describe, expect, test } from 'vitest';
import type { LineLimits } from '../../line.ts';
import type { LineDirectory, ModelAtCredential } from '../../ports/lines.ts';
import { newCallId } from '../ids.ts';
import { stageForEach, type Stage } from '../stage-for-each.ts';

export interface LineDirectoryStage extends Stage {
  readonly directory: LineDirectory;
  /** A call that a model conducts, with two components on different credentials; what it needs. */
  readonly conducted: () => Promise<{
    readonly callId: CallId;
    readonly lines: readonly LineLimits[];
    readonly fallback: { readonly model: ModelAtCredential; readonly line: LineLimits };
  }>;
  /** The same, with two models of one component and one line. */
  readonly sharing: () => Promise<{ readonly callId: CallId; readonly line: LineLimits }>;
  readonly goAway: () => Promise<void>;
}

/** What every `LineDirectory` promises. */
export function describeLineDirectory(name: string, open: () => Promise<LineDirectoryStage>): void {
  describe(`a directory of lines: ${name}`, () => {
    const stage = stageForEach(open);

    test('a call needs a line for each credential and component, with its limits', async () => {
      const { callId, lines } = await stage().conducted();
      const found = await stage().directory.linesOf(callId);
      expect(found.toSorted(byName)).toEqual(lines.toSorted(byName));
      expect(found).toHaveLength(2);
    });

    test('a fallback has its own line, and the model that it replaces has none as a fallback', async () => {
      const { callId, fallback } = await stage().conducted();
      expect(await stage().directory.lineOfFallback(callId, fallback.model)).toEqual(fallback.line);
      expect(await stage().directory.lineOfFallback(callId, { ...fallback.model, model: 'other' })).toBeNull();
      expect(await stage().directory.lineOfFallback(newCallId(), fallback.model)).toBeNull();
    });

    test('each model of a call has its line', async () => {
      const { callId, fallback } = await stage().conducted();
      expect(await stage().directory.lineOfModel(callId, fallback.model)).toEqual(fallback.line);
      expect(await stage().directory.lineOfModel(callId, { ...fallback.model, model: 'other' })).toBeNull();
    });

    test('a call asks for a line once', async () => {
      const { callId, line } = await stage().sharing();
      expect(await stage().directory.linesOf(callId)).toEqual([line]);
    });

    test('a call that is unknown needs none', async () => {
      expect(await stage().directory.linesOf(newCallId())).toEqual([]);
    });

    test('it rejects while its store is away', async () => {
      const { callId } = await stage().conducted();
      await stage().goAway();
      await expect(stage().directory.linesOf(callId)).rejects.toThrow(Error);
    });
  });
}

function byName(a: LineLimits, b: LineLimits): number {
  return a.name < b.name ? -1 : 1;
}
