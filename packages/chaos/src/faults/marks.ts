/** Distinguishes the product's requests on the wire: a part of the statement, or of a key. */
export const MARKS = {
  fencedWrite: 'AS recognises,',
  // Of the settlement by a driver: other statements end calls too, such as scheduled ones whose time is over.
  settle: 'never_dialled boolean',
  nextGeneration: 'FROM next_gate_generation()',
  dialMark: '{outdial}:dialled:',
  queue: '{outdial-queue}',
  finishWebhooks: 'SELECT finish_webhooks(',
} as const;
