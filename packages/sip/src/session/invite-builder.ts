import { addressRequest } from '../core/addressing.ts';
import { ALLOW, SUPPORTED } from '../core/capabilities.ts';
import { SDP_TYPE } from '../sdp/session-body.ts';
import { MIN_SESSION_SECONDS } from '../dialog/session-timer.ts';
import type { Authorizer } from '../digest/authorizer.ts';
import { formatCSeq } from '../syntax/cseq.ts';
import { Headers } from '../syntax/headers.ts';
import type { SipRequest } from '../syntax/message.ts';
import { formatNameAddr, nameAddr } from '../syntax/name-addr.ts';
import { withParam } from '../syntax/params.ts';
import { formatSipUri } from '../syntax/uri.ts';
import type { Channel } from '../transport/transport.ts';
import type { CheckedCallRequest } from './call-request.ts';

const DEFAULT_SESSION_SECONDS = 1_800;
/** Our own CANCEL comes first; the network's limit applies when this process has died. */
const EXPIRES_AFTER_RING_TIMEOUT_SECONDS = 5;

export interface InviteIdentity {
  readonly callId: string;
  readonly localTag: string;
  readonly product: string;
  readonly offer: string;
}

/** Writes the INVITEs of one call: all have the same identity and offer, each has its own CSeq and branch. */
export class InviteBuilder {
  readonly #request: CheckedCallRequest;
  readonly #identity: InviteIdentity;
  readonly #authorizer: Authorizer;
  /** Raised when a far end rejects the session interval as too small (RFC 4028 section 7.3). */
  #minSeconds: number | null = null;

  constructor(request: CheckedCallRequest, identity: InviteIdentity, authorizer: Authorizer) {
    this.#request = request;
    this.#identity = identity;
    this.#authorizer = authorizer;
  }

  /** False for a demand that was already met or makes no sense: asking again would loop. */
  raiseSessionInterval(minSeconds: number | undefined): boolean {
    if (minSeconds === undefined || minSeconds > 86_400 || minSeconds <= (this.#minSeconds ?? MIN_SESSION_SECONDS)) {
      return false;
    }
    this.#minSeconds = minSeconds;
    return true;
  }

  build(channel: Channel, cseq: number): SipRequest {
    const { target, targetUri, proxyUri, from, fromUri, ringTimeoutMs, headers: extra = {} } = this.#request;
    const { callId, localTag, product, offer } = this.#identity;
    const sessionSeconds = Math.max(this.#request.sessionSeconds ?? DEFAULT_SESSION_SECONDS, this.#minSeconds ?? 0);
    const expires = Math.ceil(ringTimeoutMs / 1000) + EXPIRES_AFTER_RING_TIMEOUT_SECONDS;
    const headers = new Headers();
    if (proxyUri !== undefined) {
      headers.add('route', `<${formatSipUri({ ...proxyUri, params: withParam(proxyUri.params, 'lr', null) })}>`);
    }
    headers
      .add('max-forwards', '70')
      .add('from', formatNameAddr(nameAddr(from.uri, new Map([['tag', localTag]]), from.displayName ?? null)))
      .add('to', `<${formatSipUri({ ...targetUri, port: null, params: new Map() })}>`)
      .add('call-id', callId)
      .add('cseq', formatCSeq({ number: cseq, method: 'INVITE' }))
      .add('contact', '<sip:unset.invalid>')
      .add('expires', String(expires))
      .add('session-expires', String(sessionSeconds))
      .add('min-se', String(this.#minSeconds ?? MIN_SESSION_SECONDS))
      .add('allow', ALLOW)
      .add('supported', SUPPORTED)
      .add('user-agent', product);
    for (const [name, value] of Object.entries(extra)) headers.set(name, value);
    headers.add('content-type', SDP_TYPE);
    const invite = { kind: 'request', method: 'INVITE', uri: target, headers, body: Buffer.from(offer) } as const;
    this.#authorizer.authorize(invite);
    return addressRequest(invite, channel, fromUri.user);
  }
}
