import type { Clock } from '../clock.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';

export interface ServerTransactionOptions {
  readonly request: ReceivedRequest;
  readonly clock: Clock;
  /** Whether the transport itself retransmits what was lost. */
  readonly reliable: boolean;
  readonly send: (response: SipResponse) => void;
  readonly onTerminated: () => void;
}

/** One request that needs an answer. */
export interface ServerTransaction {
  readonly request: ReceivedRequest;
  /** Sends a response; after a final one, all others are dropped. */
  respond(response: SipResponse): void;
  /** A retransmission of the request arrived. */
  repeated(): void;
  terminate(): void;
}
