import { addressRequest, openForSize } from '../core/addressing.ts';
import type { AgentCore } from '../core/agent-core.ts';
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

/** Why no INVITE of this call will get a 2xx. */
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
  /** The description of the call once this INVITE is sent. */
  readonly describe: (attempt: InviteAttempt) => DialogDescription;
  readonly on: {
    /** A further INVITE to the same target is about to be sent. */
    readonly repeating: (description: DialogDescription) => void;
    /** Called in the tick in which the INVITE is sent, just before its first byte. */
    readonly sending: (attempt: InviteAttempt) => void;
    /** Called for provisional responses and every 2xx. */
    readonly response: (response: ReceivedResponse, attempt: InviteAttempt) => void;
    readonly failed: (failure: DialFailure) => void;
  };
}

/**
 * Gets one INVITE through. It tries the next target only after a final 503 or when no byte could be sent, and repeats
 * the INVITE after a challenge or 422. It sends an INVITE only after the caller has stored it, and calls `mayDial` each
 * time, in the tick of the first byte.
 */
export class InviteDialer {
  readonly #options: InviteDialerOptions;
  #destinations: Destination[] = [];
  /** Every address that the trunk's name leads to: a cluster may answer from another of them. */
  #addresses: ReadonlySet<string> = new Set();
  #cseq: number;
  #current: { readonly attempt: InviteAttempt; readonly transaction: ClientTransaction } | undefined;
  /** The target that the caller permitted. */
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

  /** Whether an INVITE has been sent, and is not just being stored. */
  get isOut(): boolean {
    return this.#current !== undefined;
  }

  /** No INVITE is sent from now on. Waits for the one that was sent. */
  stop(): void {
    this.#stopped = true;
  }

  /** Call this only after a provisional response (RFC 3261 section 9.1). */
  cancel(reason: string): void {
    if (this.#current === undefined) return;
    const { transactions, transport } = this.#options.core;
    const { invite, channel } = this.#current.attempt;
    const user = { onResponse: ignore, onTimeout: ignore, onTransportError: ignore };
    const cancel = createCancel(invite, reason);
    const sendBy = (way: Channel) => void transactions.sendRequest(cancel, way, user, this.#addresses);
    // The far end matches the INVITE by its Via, whatever connection the CANCEL uses. Without a CANCEL it would keep
    // ringing.
    if (channel.usable) sendBy(channel);
    else transport.open(channel.remote).then(sendBy, ignore);
  }

  /** Stops waiting, even for a late 2xx. */
  abandon(): void {
    this.#stopped = true;
    this.#current?.transaction.terminate();
  }

  /** `soFar` is how the call ends if there is no other target. */
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
        // A response from a far end counts for more than a target that could not be reached.
        if (failure.kind !== 'refused') failure = { kind: 'unsent', detail };
        this.#destinations.shift();
      }
    }
    this.#fail(this.#stopped ? { kind: 'stopped' } : failure);
  }

  /**
   * Rejects only if nothing was sent. After `stay` nothing was sent either, and the caller decides how the call
   * continues.
   */
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
      // No await from here to the first byte: the right to the call could end in between.
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

  /** The connection may close while the INVITE is stored, and the far end matches the INVITE by its Via. */
  async #stillOpen(channel: Channel): Promise<Channel> {
    if (channel.usable) return channel;
    const reopened = await this.#options.core.transport.open(channel.remote);
    if (!sameHostPort(reopened.local, channel.local)) throw new Error('the connection was closed');
    return reopened;
  }

  /** The same target again belongs to the same attempt. */
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

  /** Over the same channel or, if that connection is gone, over a new one to the same address. */
  #again({ channel }: InviteAttempt): void {
    this.#current = undefined;
    const [target] = this.#destinations;
    if (target === undefined || !channel.usable) {
      return this.#sendToNext({ kind: 'unsent', detail: 'the connection was closed' });
    }
    this.#sendBy(channel, target).catch((error: unknown) => this.#fail({ kind: 'unsent', detail: messageOf(error) }));
  }

  #lost(error: Error, mayHaveLeft: boolean): void {
    // The far end may have received it: dialing on could ring twice.
    if (mayHaveLeft) return this.#fail({ kind: 'silent', detail: error.message });
    this.#destinations.shift();
    this.#sendToNext({ kind: 'unsent', detail: error.message });
  }

  #fail(failure: DialFailure): void {
    this.#options.on.failed(failure);
  }
}

/** The INVITE's own final response decides the result of a canceled call. */
function ignore(): void {}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'the connection failed';
}
