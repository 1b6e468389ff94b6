import type { Clock } from '../clock.ts';
import type { ReceivedResponse, SipRequest } from '../syntax/message.ts';
import type { Channel } from '../transport/transport.ts';

/** The callbacks of a client transaction. */
export interface ClientTransactionUser {
  onResponse(response: ReceivedResponse): void;
  /** Timer B or F: the request was sent, and no response came. */
  onTimeout(): void;
  /** `mayHaveLeft` is false only if no byte of the request can have been sent. */
  onTransportError(error: Error, mayHaveLeft: boolean): void;
}

export interface ClientTransactionOptions {
  /** With its topmost Via. */
  readonly request: SipRequest;
  readonly channel: Channel;
  readonly clock: Clock;
  readonly user: ClientTransactionUser;
  /** The transaction has terminated; messages no longer match it. */
  readonly onTerminated: () => void;
}

export interface ClientTransaction {
  receive(response: ReceivedResponse): void;
  /** Terminates without another message to the far end or the user. */
  terminate(): void;
}
