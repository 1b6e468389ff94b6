import { addressRequest, openForSize } from '../agent/addressing.ts';
import type { AgentCore } from '../agent/core.ts';
import type { DialogDescription } from '../dialog/description.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import { resolveUri } from '../resolve.ts';
import { readMinSeSeconds } from '../syntax/field-values.ts';
import type { ReceivedResponse, SipRequest } from '../syntax/message.ts';
import type { ClientTransaction, ClientTransactionUser } from '../transaction/client-transaction.ts';
import { createCancel } from '../transaction/derived-requests.ts';
import { sameHostPort, type Channel, type Destination } from '../transport/transport.ts';
import type { AttemptDecision, CheckedCallRequest } from './call-request.ts';
import type { InviteBuilder } from './invite-builder.ts';

/** An INVITE as it was sent. */
export interface InviteAttempt {
  readonly invite: SipRequest;
  readonly cseq: number;
  readonly channel: Channel;
}

/** Why no INVITE of this call will be answered with a 2xx. */
export type DialFailure =
  | { readonly kind: 'refused' | 'unauthorized'; readonly response: ReceivedResponse }
  | { readonly kind: 'not_dialled' | 'stopped' }
  | { readonly kind: 'unsent' | 'silent'; readonly detail: string };

export interface InviteDialerOptions {
  readonly core: AgentCore;
  readonly request: CheckedCallRequest;
  readonly builder: InviteBuilder;
  readonly authorizer: Authorizer;
  readonly firstCSeq: number;
  /** The call as it will be once this INVITE is out. */
  readonly describe: (attempt: InviteAttempt) => DialogDescription;
  readonly on: {
    /** A further INVITE to the same target will be sent. */
    readonly repeating: (description: DialogDescription) => void;
    /** In the tick in which the INVITE is sent, just before its first byte. */
    readonly sending: (attempt: InviteAttempt) => void;
    /** Provisional responses, and every 2xx. */
    readonly response: (response: ReceivedResponse, attempt: InviteAttempt) => void;
    readonly failed: (failure: DialFailure) => void;
  };
}

/**
 * Gets one INVITE through: to the next target only after a final 503 or when no byte could be sent, and again after a
 * challenge or 422. No INVITE goes out that the caller has not stored. `mayDial` is asked each time, in the tick of the
 * first byte.
 */
export class InviteDialer {
  readonly #options: InviteDialerOptions;
  #destinations: Destination[] = [];
  /** All that the trunk's name leads to: a cluster may answer from another of its addresses. */
  #addresses: ReadonlySet<string> = new Set();
  #cseq: number;
  #current: { readonly attempt: InviteAttempt; readonly transaction: ClientTransaction } | undefined;
  /** The target that the caller has let us try. */
  #begun: Destination | undefined;
  #stopped = false;

  constructor(options: InviteDialerOptions) {
    this.#options = options;
    this.#cseq = options.firstCSeq;
  }

  /** Never rejects. */
  async begin(): Promise<void> {
    const { core, request } = this.#options;
    const resolved = await resolveUri(request.proxyUri ?? request.targetUri, core.resolver, core.random);
    if (resolved.kind === 'unresolvable') {
      this.#fail({ kind: 'unsent', detail: resolved.reason });
      return;
    }
    this.#destinations = [...resolved.destinations];
    this.#addresses = new Set(resolved.destinations.map(({ address }) => address));
    this.#sendToNext({ kind: 'unsent', detail: 'there is no address' });
  }

  /** Whether an INVITE is out, and not only being stored. */
  get isOut(): boolean {
    return this.#current !== undefined;
  }

  /** No INVITE is sent from now on. The one that is out is waited for. */
  stop(): void {
    this.#stopped = true;
  }

  /** To be sent only after a provisional response (RFC 3261 section 9.1). */
  cancel(reason: string): void {
    if (this.#current === undefined) return;
    const { transactions, transport } = this.#options.core;
    const { invite, channel } = this.#current.attempt;
    const user = { onResponse: ignore, onTimeout: ignore, onTransportError: ignore };
    const cancel = createCancel(invite, reason);
    const sendBy = (way: Channel) => void transactions.sendRequest(cancel, way, user, this.#addresses);
    // The far end knows the INVITE by its Via, by whatever connection the CANCEL comes. Without one it would ring on.
    if (channel.usable) sendBy(channel);
    else transport.open(channel.remote).then(sendBy, ignore);
  }

  /** Not even a late 2xx is waited for any more. */
  abandon(): void {
    this.#stopped = true;
    this.#current?.transaction.terminate();
  }

  /** `soFar` is how the call ends if no other target can be had. */
  #sendToNext(soFar: DialFailure): void {
    this.#current = undefined;
    this.#findNext(soFar).catch((error: unknown) => this.#fail({ kind: 'unsent', detail: messageOf(error) }));
  }

  async #findNext(soFar: DialFailure): Promise<void> {
    let failure = soFar;
    for (let target = this.#destinations[0]; target !== undefined; target = this.#destinations[0]) {
      if (this.#stopped) break;
      try {
        const opened = await this.#options.core.transport.open(target);
        if ((await this.#sendBy(opened, target)) === 'stay') this.#fail(failure);
        return;
      } catch (error) {
        const detail = `${target.address}:${target.port}: ${messageOf(error)}`;
        // What a far end has said counts for more than what could not be asked.
        if (failure.kind !== 'refused') failure = { kind: 'unsent', detail };
        this.#destinations.shift();
      }
    }
    this.#fail(this.#stopped ? { kind: 'stopped' } : failure);
  }

  /** Rejects only if nothing was sent; after `stay` nothing was either, and how the call goes on is yet to be said. */
  async #sendBy(opened: Channel, target: Destination): Promise<'stay' | 'done'> {
    const attempt = await this.#build(opened, target);
    const decision = this.#stopped ? 'stop' : await this.#record(attempt, target);
    if (decision === 'stay' && !this.#stopped) return 'stay';
    const channel = decision === 'go' ? await this.#stillOpen(attempt.channel) : attempt.channel;
    await this.#sendOnceAllowed({ ...attempt, channel }, decision);
    return 'done';
  }

  async #sendOnceAllowed(attempt: InviteAttempt, decision: AttemptDecision): Promise<void> {
    const { request } = this.#options;
    for (;;) {
      // From here to the first byte nothing may wait: the right to the call could end meanwhile.
      if (this.#stopped) return this.#fail({ kind: 'stopped' });
      if (decision === 'go' && request.mayDial()) return this.#send(attempt);
      if (decision !== 'go' || !(await request.awaitDialPermit?.())) {
        return this.#fail({ kind: this.#stopped ? 'stopped' : 'not_dialled' });
      }
    }
  }

  async #build(opened: Channel, target: Destination): Promise<InviteAttempt> {
    const { core, request, builder, authorizer } = this.#options;
    if (this.#begun !== target) authorizer.reset();
    const cseq = (this.#cseq += 1);
    const draft = builder.build(opened, cseq);
    const larger = await openForSize(core.transport, opened, draft);
    const invite = larger === undefined ? draft : addressRequest(draft, larger, request.fromUri.user);
    return { invite, cseq, channel: larger ?? opened };
  }

  /** A connection may be closed while the INVITE is stored, by whose Via the far end is to know it. */
  async #stillOpen(channel: Channel): Promise<Channel> {
    if (channel.usable) return channel;
    const reopened = await this.#options.core.transport.open(channel.remote);
    if (!sameHostPort(reopened.local, channel.local)) throw new Error('the connection was closed');
    return reopened;
  }

  /** The same target again is the same attempt still. */
  async #record(attempt: InviteAttempt, target: Destination): Promise<AttemptDecision> {
    const { request, describe, on } = this.#options;
    if (this.#begun === target) {
      on.repeating(describe(attempt));
      await request.recorded?.();
      return 'go';
    }
    const withoutCaller = this.#begun === undefined ? 'go' : 'stay';
    const decision = (await request.beginAttempt?.(describe(attempt))) ?? withoutCaller;
    if (decision === 'go') this.#begun = target;
    return decision;
  }

  #send(attempt: InviteAttempt): void {
    const { core, on } = this.#options;
    on.sending(attempt);
    const user: ClientTransactionUser = {
      onResponse: (response) => this.#responded(response, attempt),
      onTimeout: () => this.#fail({ kind: 'silent', detail: 'no response within 32 s' }),
      onTransportError: (error, mayHaveLeft) => this.#lost(error, mayHaveLeft),
    };
    const transaction = core.transactions.sendRequest(attempt.invite, attempt.channel, user, this.#addresses);
    this.#current = { attempt, transaction };
  }

  #responded(response: ReceivedResponse, attempt: InviteAttempt): void {
    const { status, headers } = response;
    if (status < 300) return this.#options.on.response(response, attempt);
    if ((status === 401 || status === 407) && !this.#stopped) {
      const { authorizer } = this.#options;
      if (authorizer.accept(status, headers)) return this.#again(attempt);
      return this.#fail({ kind: authorizer.understands(status, headers) ? 'unauthorized' : 'refused', response });
    }
    const raised = status === 422 && this.#options.builder.raiseSessionInterval(readMinSeSeconds(headers));
    if (raised && !this.#stopped) return this.#again(attempt);
    if (status === 503 && this.#destinations.length > 1 && !this.#stopped) {
      this.#destinations.shift();
      return this.#sendToNext({ kind: 'refused', response });
    }
    this.#fail({ kind: 'refused', response });
  }

  /** By the same way, or, if that connection is gone meanwhile, by a new one to the same place. */
  #again({ channel }: InviteAttempt): void {
    this.#current = undefined;
    const [target] = this.#destinations;
    if (target === undefined || !channel.usable) {
      return this.#sendToNext({ kind: 'unsent', detail: 'the connection was closed' });
    }
    this.#sendBy(channel, target).catch((error: unknown) => this.#fail({ kind: 'unsent', detail: messageOf(error) }));
  }

  #lost(error: Error, mayHaveLeft: boolean): void {
    // The far end may have heard it: dialling on could ring twice.
    if (mayHaveLeft) return this.#fail({ kind: 'silent', detail: error.message });
    this.#destinations.shift();
    this.#sendToNext({ kind: 'unsent', detail: error.message });
  }

  #fail(failure: DialFailure): void {
    this.#options.on.failed(failure);
  }
}

/** What became of a cancelled call is told by the INVITE's own final response. */
function ignore(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the connection failed';
}
