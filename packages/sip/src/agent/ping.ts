import { newCallId, newTag } from '../identifiers.ts';
import { resolveUri } from '../resolve.ts';
import { Headers } from '../syntax/headers.ts';
import { NO_BODY, type SipRequest } from '../syntax/message.ts';
import { withParam } from '../syntax/params.ts';
import { formatSipUri, parseSipUri } from '../syntax/uri.ts';
import type { Channel } from '../transport/transport.ts';
import { addressRequest } from '../core/addressing.ts';
import { ACCEPTED_TYPES } from '../sdp/session-body.ts';
import type { AgentCore } from '../core/agent-core.ts';

export type OptionsOutcome =
  /** Any final response shows that the far end is alive. 503 means that it takes no calls. */
  | { readonly kind: 'answered'; readonly sipCode: number; readonly roundTripMs: number }
  | { readonly kind: 'silent' }
  /** No address, or no connection. */
  | { readonly kind: 'unsent'; readonly detail: string };

export interface OptionsRequest {
  /** `sip:trunk.example` */
  readonly target: string;
  readonly outboundProxy?: string;
}

/** Sends one OPTIONS (RFC 3261 section 11) to find out whether a trunk is alive. Never rejects. */
export async function sendOptions(core: AgentCore, { target, outboundProxy }: OptionsRequest): Promise<OptionsOutcome> {
  const targetUri = parseSipUri(target);
  const proxyUri = outboundProxy === undefined ? undefined : parseSipUri(outboundProxy);
  if (targetUri === undefined || (outboundProxy !== undefined && proxyUri === undefined)) {
    return { kind: 'unsent', detail: 'target or outboundProxy is not a SIP URI: write it as sip:host.' };
  }
  const resolved = await resolveUri(proxyUri ?? targetUri, core.resolver, core.random);
  if (resolved.kind === 'unresolvable') return { kind: 'unsent', detail: resolved.reason };
  const route = proxyUri && `<${formatSipUri({ ...proxyUri, params: withParam(proxyUri.params, 'lr', null) })}>`;
  let detail = 'there is no address';
  for (const destination of resolved.destinations) {
    try {
      const channel = await core.transport.open(destination);
      return await ask(core, addressRequest(draftOptions(core, target, route, channel), channel, null), channel);
    } catch (error) {
      detail = error instanceof Error ? error.message : 'the connection failed';
    }
  }
  return { kind: 'unsent', detail };
}

function draftOptions(core: AgentCore, target: string, route: string | undefined, { local }: Channel): SipRequest {
  const headers = new Headers(route === undefined ? [] : [['route', route]]);
  headers
    .add('max-forwards', '70')
    .add('from', `<sip:ping@${local.host}>;tag=${newTag()}`)
    .add('to', `<${target}>`)
    .add('call-id', newCallId())
    .add('cseq', '1 OPTIONS')
    .add('contact', '<sip:unset.invalid>')
    .add('accept', ACCEPTED_TYPES)
    .add('user-agent', core.product);
  return { kind: 'request', method: 'OPTIONS', uri: target, headers, body: NO_BODY };
}

function ask({ transactions, clock }: AgentCore, request: SipRequest, channel: Channel): Promise<OptionsOutcome> {
  const sentAtMs = clock.monotonicMs();
  return new Promise((resolve) => {
    transactions.sendRequest(request, channel, {
      onResponse: ({ status }) => {
        if (status >= 200) resolve({ kind: 'answered', sipCode: status, roundTripMs: clock.monotonicMs() - sentAtMs });
      },
      onTimeout: () => resolve({ kind: 'silent' }),
      onTransportError: (error, mayHaveLeft) =>
        resolve(mayHaveLeft ? { kind: 'silent' } : { kind: 'unsent', detail: error.message }),
    });
  });
}
