/**
 * Called for every message. Messages hold telephone numbers, digest credentials and speech parameters in full: the
 * listener masks what it keeps.
 */
export type SipLog = (entry: SipLogEntry) => void;

export interface SipLogEntry {
  readonly kind: 'sent' | 'received' | 'discarded';
  readonly transport: 'UDP' | 'TCP' | 'TLS';
  /** `address:port` */
  readonly remote: string;
  readonly text: string;
  /** Why the message was discarded. */
  readonly reason?: string;
}
