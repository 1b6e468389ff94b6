import type { ReceivedMessage } from '../syntax/message.ts';

export type TransportName = 'UDP' | 'TCP' | 'TLS';

/** The end of one hop, by address: names are looked up before. */
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
  /** True when some of the bytes may have reached the far end all the same. */
  readonly mayHaveLeft: boolean;
}

/** A way to one far end that is open now. */
export interface Channel {
  readonly remote: Destination;
  /** How the far end can reach us: what Via and Contact say. */
  readonly local: HostPort;
  /** Whether the transport itself sees to delivery: then nothing is sent twice. */
  readonly reliable: boolean;
  /** False once it was closed: then another one is to be opened. */
  readonly usable: boolean;
  /** Whether the far end reaches us by this connection alone: nothing listens for its transport. */
  readonly onlyWayBack: boolean;
  /** Tells once that the connection is gone, unless the function that it returns was called before. */
  onClosed(listener: () => void): () => void;
  /** Hands the bytes to the system within this very call. `onDone` follows later, once. */
  send(bytes: Buffer, onDone: (failure: SendFailure | undefined) => void): void;
}

export interface Inbound {
  readonly message: ReceivedMessage;
  /** Leads back to where it came from. A request's Via is stamped already. */
  readonly channel: Channel;
  /** What was wrong with a request that can only be refused. */
  readonly refusal: { readonly status: 400 | 505; readonly reason: string } | null;
}

/** Carries messages. Everything slow is in `open`, so that a caller can decide in the tick in which it sends. */
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
