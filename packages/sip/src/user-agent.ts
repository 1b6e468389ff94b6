import type { AgentCore } from './core/agent-core.ts';
import { endByDescription } from './agent/end-by-description.ts';
import { InboundRequests, type InviteHandler } from './agent/inbound-requests.ts';
import { sendOptions, type OptionsOutcome, type OptionsRequest } from './agent/ping.ts';
import { SessionRegistry } from './core/session-registry.ts';
import type { Clock } from './clock.ts';
import type { Credentials } from './digest/authorizer.ts';
import { Verifier } from './digest/verifier.ts';
import type { Resolver } from './resolve.ts';
import { checkCallRequest, type CallRequest } from './session/call-request.ts';
import { OutgoingSession } from './session/outgoing-session.ts';
import type { Session } from './session/session.ts';
import { systemResolver } from './system-resolver.ts';
import { TransactionLayer, type ForeignResponse } from './transaction/transaction-layer.ts';
import type { Transport } from './transport/transport.ts';

export interface UserAgentOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Name and version, such as `Outdial/1.0`: the value of User-Agent and Server. */
  readonly product: string;
  /** Default: the machine's own resolver. */
  readonly resolver?: Resolver;
  readonly random?: () => number;
  /** Called for responses that were dropped because the request was not sent to their source address. */
  readonly onForeignResponse?: (foreign: ForeignResponse) => void;
  /** Demands digest authentication for every incoming call. */
  readonly authentication?: {
    readonly realm: string;
    readonly passwordOf: (username: string) => string | undefined;
  };
}

export interface UserAgent {
  /**
   * Places a call.
   * @throws `CallRequestError` for a request that cannot be written. Every later failure ends the session.
   */
  call(request: CallRequest): Session;
  /** Sets the handler of incoming calls. Until then they are rejected with 480. */
  onInvite(handler: InviteHandler): void;
  /** Sends OPTIONS to a trunk. Resolves within 32 s. */
  options(request: OptionsRequest): Promise<OptionsOutcome>;
  /** Ends a call of a dead process, by the last description that it stored. Never rejects. */
  endByDescription(description: unknown, credentials?: Credentials): Promise<'gone' | 'unknown'>;
  /** Number of sessions that have not ended. */
  readonly sessionCount: number;
  /** Hangs up all sessions, without waiting for the far ends, and closes the transport. */
  close(): Promise<void>;
}

/** A SIP user agent, client and server (RFC 3261), on an open transport. */
export function createUserAgent(options: UserAgentOptions): UserAgent {
  const { transport, clock, product, resolver = systemResolver, random = Math.random, authentication } = options;
  const { onForeignResponse } = options;
  let handler: InviteHandler | undefined;
  const inbound = new InboundRequests({
    core: () => core,
    handler: () => handler,
    verifier: authentication && new Verifier({ ...authentication, clock }),
  });
  const transactions = new TransactionLayer({
    transport,
    clock,
    user: inbound,
    ...(onForeignResponse === undefined ? {} : { onForeignResponse }),
  });
  const core: AgentCore = {
    clock,
    transport,
    transactions,
    resolver,
    random,
    product,
    sessions: new SessionRegistry(),
  };
  return {
    call: (request) => {
      const session = new OutgoingSession(core, checkCallRequest(request));
      session.begin();
      return session;
    },
    onInvite: (onInvite) => {
      handler = onInvite;
    },
    options: (request) => sendOptions(core, request),
    endByDescription: (description, credentials) => endByDescription(core, description, credentials),
    get sessionCount() {
      return core.sessions.size;
    },
    close: async () => {
      core.sessions.shutDown();
      // After one turn of the event loop, each BYE or CANCEL to a resolved address has been sent.
      await new Promise<void>((resolve) => setImmediate(resolve));
      transactions.close();
      await transport.close();
    },
  };
}
