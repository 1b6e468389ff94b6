import type { ReceivedMessage, ReceivedRequest, ReceivedResponse, SipRequest } from '../syntax/message.ts';
import { formatNameAddr, parseNameAddr, tagOf } from '../syntax/name-addr.ts';
import { withParam } from '../syntax/params.ts';
import { parseSipUri } from '../syntax/uri.ts';

/** The state of a dialog (RFC 3261 section 12). */
export interface DialogParts {
  readonly callId: string;
  /** From of our requests, with our tag. */
  readonly localAddress: string;
  /** To of our requests, with the far end's tag. */
  readonly remoteAddress: string;
  /** Null for an RFC 2543 peer, which may omit it. */
  readonly remoteTag: string | null;
  readonly localCSeq: number;
  readonly remoteCSeq: number | null;
  readonly routeSet: readonly string[];
  readonly remoteTarget: string;
}

/** The state that two user agents share: who they are, how requests are routed, and in which order. */
export class Dialog {
  readonly callId: string;
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly remoteTag: string | null;
  #localCSeq: number;
  #remoteCSeq: number | null;
  #routeSet: readonly string[];
  #remoteTarget: string;

  constructor(parts: DialogParts) {
    this.callId = parts.callId;
    this.localAddress = parts.localAddress;
    this.remoteAddress = parts.remoteAddress;
    this.remoteTag = parts.remoteTag;
    this.#localCSeq = parts.localCSeq;
    this.#remoteCSeq = parts.remoteCSeq;
    this.#routeSet = parts.routeSet;
    this.#remoteTarget = parts.remoteTarget;
  }

  /** The UAC side, from a response with a tag (section 12.1.2). The route set is in reverse order of Record-Route. */
  static ofClient(invite: SipRequest, inviteCSeq: number, response: ReceivedResponse): Dialog {
    return new Dialog({
      callId: response.callId,
      localAddress: invite.headers.get('from') ?? '',
      remoteAddress: response.headers.get('to') ?? '',
      remoteTag: tagOf(response.to),
      localCSeq: inviteCSeq,
      remoteCSeq: null,
      routeSet: response.headers.all('record-route').toReversed(),
      remoteTarget: contactUri(response) ?? invite.uri,
    });
  }

  /** The UAS side (section 12.1.1). Undefined when the request has no usable Contact. */
  static ofServer(invite: ReceivedRequest, localTag: string, initialCSeq: number): Dialog | undefined {
    const remoteTarget = contactUri(invite);
    if (remoteTarget === undefined) return undefined;
    const { callId, from, to, cseq } = invite;
    return new Dialog({
      callId,
      localAddress: formatNameAddr({ ...to, params: withParam(to.params, 'tag', localTag) }),
      remoteAddress: invite.headers.get('from') ?? '',
      remoteTag: tagOf(from),
      localCSeq: initialCSeq,
      remoteCSeq: cseq.number,
      routeSet: invite.headers.all('record-route'),
      remoteTarget,
    });
  }

  get localCSeq(): number {
    return this.#localCSeq;
  }

  get routeSet(): readonly string[] {
    return this.#routeSet;
  }

  get remoteTarget(): string {
    return this.#remoteTarget;
  }

  /** CSeq of our next request. ACK and CANCEL reuse their INVITE's instead. */
  nextCSeq(): number {
    this.#localCSeq += 1;
    return this.#localCSeq;
  }

  /** Whether a request of the far end is in order; reject a lower number with 500 (section 12.2.2). */
  takeRemoteCSeq(number: number): boolean {
    if (this.#remoteCSeq !== null && number <= this.#remoteCSeq) return false;
    this.#remoteCSeq = number;
    return true;
  }

  /** The 2xx decides the final route set (section 13.2.2.4). */
  confirm(response: ReceivedResponse): void {
    this.#routeSet = response.headers.all('record-route').toReversed();
    this.retarget(response);
  }

  /** Target refresh: INVITE, UPDATE and their 2xx move the far end to their Contact (section 12.2.1.2). */
  retarget(message: ReceivedMessage): void {
    this.#remoteTarget = contactUri(message) ?? this.#remoteTarget;
  }
}

function contactUri({ headers }: ReceivedMessage): string | undefined {
  const uri = parseNameAddr(headers.get('contact') ?? '')?.uri;
  return uri === undefined || parseSipUri(uri) === undefined ? undefined : uri;
}
