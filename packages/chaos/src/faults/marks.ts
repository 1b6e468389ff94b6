/** Distinguishes the product's requests on the wire: a part of the statement, or of a key. */
export const MARKS = {
  fencedWrite: 'AS recognises,',
  settle: 'settled_at = clock_timestamp()',
  nextGeneration: 'FROM next_gate_generation()',
  dialMark: '{outdial}:dialled:',
  queue: '{outdial-queue}',
  finishWebhooks: 'SELECT finish_webhooks(',
} as const;
