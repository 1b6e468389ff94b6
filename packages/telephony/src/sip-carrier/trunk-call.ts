import {
  sipSessionSecondsFor,
  type DialAttemptOutcome,
  type DialRequest,
  type LegDialog,
  type NumberFormat,
  type Trunk,
} from '@outdial/calls';
import type { E164 } from '@outdial/contracts';
import {
  CallRequestError,
  formatSipUri,
  parseSipUri,
  withParam,
  type AttemptDecision,
  type CallRequest,
  type SipUri,
} from '@outdial/sip';
import { OFFERED_EVENT_PAYLOAD_TYPE } from '../rtp/remote-media.ts';

const PTIME_MS = 20;

/** Each target of a trunk is a dial attempt: it is paced and fenced like the first. */
const DECISIONS: Readonly<Record<DialAttemptOutcome, AttemptDecision>> = {
  begun: 'go',
  no_channel: 'stay',
  refused: 'stop',
};

export interface TrunkCall {
  readonly trunk: Trunk;
  readonly request: Pick<
    DialRequest,
    'callerNumber' | 'calleeNumber' | 'maxDurationMs' | 'mayDial' | 'awaitDialPermit' | 'recorded'
  >;
  readonly beginAttempt: (dialog: LegDialog) => Promise<DialAttemptOutcome>;
  readonly ringTimeoutMs: number;
  /** Our RTP address, as the far end reaches it. */
  readonly media: { readonly address: string; readonly port: number };
}

/**
 * Builds the call request for one trunk, by its settings.
 * @throws `CallRequestError` for a trunk whose settings are not valid SIP.
 */
export function callRequestOf({ trunk, request, beginAttempt, ringTimeoutMs, media }: TrunkCall): CallRequest {
  const { credentials, outboundProxy, codecs, callerId } = trunk;
  const { callerNumber, calleeNumber, maxDurationMs, mayDial, awaitDialPermit, recorded } = request;
  const home = parseTrunkUri('uri', trunk.uri);
  const caller = formatSipUri(userAt(home, callerNumber, trunk.numberFormat));
  return {
    trunk: trunk.name,
    target: formatSipUri(overTransport(trunk, userAt(home, calleeNumber, trunk.numberFormat))),
    from: { uri: caller },
    ...(credentials === null ? {} : { credentials }),
    ...(outboundProxy === null
      ? {}
      : { outboundProxy: formatSipUri(overTransport(trunk, parseTrunkUri('outboundProxy', outboundProxy))) }),
    ...(callerId.asserted ? { headers: { 'p-asserted-identity': `<${caller}>` } } : {}),
    audio: { ...media, codecs, dtmfPayloadType: OFFERED_EVENT_PAYLOAD_TYPE, ptimeMs: PTIME_MS },
    ringTimeoutMs,
    sessionSeconds: sipSessionSecondsFor(Math.ceil(maxDurationMs / 1_000)),
    mayDial,
    awaitDialPermit,
    beginAttempt: async (description) => DECISIONS[await beginAttempt({ ...description })],
    recorded,
  };
}

/** The trunk itself, without a number: the target of an OPTIONS. */
export function trunkTarget(trunk: Pick<Trunk, 'uri' | 'transport' | 'outboundProxy'>) {
  const { uri, outboundProxy } = trunk;
  return {
    target: formatSipUri(overTransport(trunk, parseTrunkUri('uri', uri))),
    ...(outboundProxy === null
      ? {}
      : { outboundProxy: formatSipUri(overTransport(trunk, parseTrunkUri('outboundProxy', outboundProxy))) }),
  };
}

export function parseTrunkUri(field: string, text: string): SipUri {
  const uri = parseSipUri(text);
  if (uri === undefined) throw new CallRequestError(`the trunk's ${field} is not a SIP URI: write it as sip:host.`);
  return uri;
}

/** A URI's own transport wins; without one, the trunk's applies. */
function overTransport({ transport }: Pick<Trunk, 'transport'>, uri: SipUri): SipUri {
  return uri.params.has('transport') ? uri : { ...uri, params: withParam(uri.params, 'transport', transport) };
}

export function userAt(home: SipUri, number: E164, format: NumberFormat): SipUri {
  return { ...home, user: format === 'digits' ? number.slice(1) : number };
}
