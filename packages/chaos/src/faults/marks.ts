/** What tells the product's requests apart on the wire: a piece of the statement, or of a key. */
export const MARKS = {
  fencedWrite: 'AS recognises,',
  settle: 'settled_at = clock_timestamp()',
  nextGeneration: 'FROM next_gate_generation()',
  dialMark: '{outdial}:dialled:',
  queue: '{outdial-queue}',
} as const;
