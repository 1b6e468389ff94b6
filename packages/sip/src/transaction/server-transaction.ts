import type { Clock } from '../clock.ts';
import type { ReceivedRequest, SipResponse } from '../syntax/message.ts';

export interface ServerTransactionOptions {
  readonly request: ReceivedRequest;
  readonly clock: Clock;
  /** Whether the transport repeats by itself what was lost. */
  readonly reliable: boolean;
  readonly send: (response: SipResponse) => void;
  readonly onTerminated: () => void;
}

/** One request that is to be answered. */
export interface ServerTransaction {
  readonly request: ReceivedRequest;
  /** Sends a response; once a final one was sent, all others are dropped. */
  respond(response: SipResponse): void;
  /** The request came once more. */
  repeated(): void;
  terminate(): void;
}
