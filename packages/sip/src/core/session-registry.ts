import type { ReceivedRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';

/** A session as the user agent dispatches incoming messages to it. */
export interface RegisteredSession {
  receive(transaction: ServerTransaction): void;
  receiveAck(ack: ReceivedRequest): void;
  /** Hangs up at once, whatever is still pending: the user agent closes. */
  shutDown(): void;
}

/** Sessions by Call-ID and local tag, which all forks of one INVITE share. */
export class SessionRegistry {
  readonly #sessions = new Map<string, RegisteredSession>();
  readonly #invites = new Set<string>();

  add(callId: string, localTag: string, session: RegisteredSession): void {
    this.#sessions.set(`${callId} ${localTag}`, session);
  }

  remove(callId: string, localTag: string): void {
    this.#sessions.delete(`${callId} ${localTag}`);
  }

  /** The session that a request with a To tag belongs to. */
  find(request: ReceivedRequest): RegisteredSession | undefined {
    return this.#sessions.get(`${request.callId} ${tagOf(request.to) ?? ''}`);
  }

  /**
   * Whether this INVITE already arrived by another path: a proxy forked it, and this end must ring once (RFC 3261
   * section 8.2.2.2). The INVITE counts as known until `forgetInvite`.
   */
  isMerged(invite: ReceivedRequest): boolean {
    const key = mergeKey(invite);
    if (this.#invites.has(key)) return true;
    this.#invites.add(key);
    return false;
  }

  forgetInvite(invite: ReceivedRequest): void {
    this.#invites.delete(mergeKey(invite));
  }

  get size(): number {
    return this.#sessions.size;
  }

  shutDown(): void {
    for (const session of this.#sessions.values()) session.shutDown();
  }
}

function mergeKey({ callId, from, cseq }: ReceivedRequest): string {
  return `${callId} ${tagOf(from) ?? ''} ${cseq.number}`;
}
