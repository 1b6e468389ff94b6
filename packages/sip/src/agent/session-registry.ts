import type { ReceivedRequest } from '../syntax/message.ts';
import { tagOf } from '../syntax/name-addr.ts';
import type { ServerTransaction } from '../transaction/server-transaction.ts';

/** A session as the user agent reaches it with what comes in. */
export interface RegisteredSession {
  receive(transaction: ServerTransaction): void;
  receiveAck(ack: ReceivedRequest): void;
  /** Says good-bye at once, whatever is still due: the user agent closes. */
  shutDown(): void;
}

/** Sessions by Call-ID and our tag: all forks of one INVITE share both. */
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
   * Whether this INVITE came before by another way: a proxy forked it, and this end must ring once (RFC 3261 section
   * 8.2.2.2). Until `forgetInvite` it counts as known.
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
