import type { Clock } from '../clock.ts';
import type { ReceivedResponse, SipRequest } from '../syntax/message.ts';
import type { Channel } from '../transport/transport.ts';

/** What a client transaction tells whoever started it. */
export interface ClientTransactionUser {
  onResponse(response: ReceivedResponse): void;
  /** Timer B or F: the request was sent, and the far end is silent. */
  onTimeout(): void;
  /** `mayHaveLeft` is false only if not one byte of the request can have been sent. */
  onTransportError(error: Error, mayHaveLeft: boolean): void;
}

export interface ClientTransactionOptions {
  /** With its topmost Via. */
  readonly request: SipRequest;
  readonly channel: Channel;
  readonly clock: Clock;
  readonly user: ClientTransactionUser;
  /** The transaction is over; nothing is matched to it any more. */
  readonly onTerminated: () => void;
}

export interface ClientTransaction {
  receive(response: ReceivedResponse): void;
  /** Ends it without another word to the far end or to the user. */
  terminate(): void;
}
