/** Distinguishes the product's requests on the wire: a part of the statement, or of a key. */
export const MARKS = {
  fencedWrite: 'AS recognises,',
  // Of the settlement by a driver: other statements end calls too, such as scheduled ones whose time is over.
  settle: 'never_dialled boolean',
  optOut: 'at_ms bigint, opt_out jsonb',
  nextGeneration: 'FROM next_gate_generation()',
  dialMark: '{outdial}:dialled:',
  stock: 'SELECT stock_campaign(',
  finishWebhooks: 'SELECT finish_webhooks(',
} as const;

/** Of the statement that admits this scheduled call, with others of its batch. */
export function admissionOf(callId: string): string {
  return `"id":"${callId}","admit_token":`;
}

/** Of the script that reserves for this call, with others of its batch. */
export function reservationOf(callId: string, accountId: string): string {
  return `$36\r\n${callId}\r\n$36\r\n${accountId}\r\n`;
}

/** Of the command that queues this call. */
export function jobOf(callId: string): string {
  return `{"call_id":"${callId}"}`;
}
