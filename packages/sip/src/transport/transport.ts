import type { ReceivedMessage } from '../syntax/message.ts';

export type TransportName = 'UDP' | 'TCP' | 'TLS';

/** The far end of one hop. Its address is already resolved. */
export interface Destination {
  readonly transport: TransportName;
  /** IPv4. */
  readonly address: string;
  readonly port: number;
  /** The name that the far end's TLS certificate must carry. */
  readonly serverName?: string;
}

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

export interface SendFailure {
  readonly error: Error;
  /** True when some of the bytes may have reached the far end. */
  readonly mayHaveLeft: boolean;
}

/** An open path to one far end. */
export interface Channel {
  readonly remote: Destination;
  /** Our address as the far end reaches it, for Via and Contact. */
  readonly local: HostPort;
  /** Whether the transport guarantees delivery: then nothing is retransmitted. */
  readonly reliable: boolean;
  /** False once it was closed: then open another one. */
  readonly usable: boolean;
  /** Whether the far end can reach us over this connection only, because nothing listens for its transport. */
  readonly isOnlyReturnPath: boolean;
  /** Calls `listener` once when the connection is gone, unless the returned function was called before. */
  onClosed(listener: () => void): () => void;
  /** Hands the bytes to the system within this call. `onDone` follows later, once. */
  send(bytes: Buffer, onDone: (failure: SendFailure | undefined) => void): void;
}

export interface Inbound {
  readonly message: ReceivedMessage;
  /** The path back to the sender. A request's Via is already stamped. */
  readonly channel: Channel;
  /** The error of a request that can only be rejected. */
  readonly refusal: { readonly status: 400 | 505; readonly reason: string } | null;
}

/** Carries messages. Everything slow happens in `open`, so that a caller can decide in the tick in which it sends. */
export interface Transport {
  listen(onInbound: (inbound: Inbound) => void): void;
  /** Rejects when the far end cannot be reached: then no byte of a message was sent. */
  open(destination: Destination): Promise<Channel>;
  close(): Promise<void>;
}

export function sameDestination(left: Destination, right: Destination): boolean {
  return left.transport === right.transport && left.address === right.address && left.port === right.port;
}

export function sameHostPort(left: HostPort, right: HostPort): boolean {
  return left.host === right.host && left.port === right.port;
}

export function defaultPort(transport: TransportName): number {
  return transport === 'TLS' ? 5061 : 5060;
}
