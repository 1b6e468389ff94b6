import { z } from 'zod';
import { turnSchema, type Turn } from './call.ts';

/** A turn of a call that has not ended, as the event `turn` of the call's stream carries it. */
export const liveTurnSchema = turnSchema.extend({
  index: z.int().min(0).describe('Counts the turns of the call in the order in which they became known.'),
  replaces: z
    .array(z.int().min(0))
    .describe('Indexes of earlier turns that this one takes the place of: words may come after the speech.'),
});
export type LiveTurn = z.output<typeof liveTurnSchema>;
export const liveTurnsSchema = z.array(liveTurnSchema).min(1);

/** The turns in the order in which they were spoken, without those that others replaced. */
export function currentTurns(turns: readonly LiveTurn[]): readonly LiveTurn[] {
  const replaced = new Set(turns.flatMap(({ replaces }) => replaces));
  return turns.filter(({ index }) => !replaced.has(index)).toSorted((one, other) => one.start_ms - other.start_ms);
}

/** The same, in the form of a call's transcript. */
export function transcriptOf(turns: readonly LiveTurn[]): readonly Turn[] {
  return currentTurns(turns).map(({ index: _index, replaces: _replaces, ...turn }) => turn);
}
