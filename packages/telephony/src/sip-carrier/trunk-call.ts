import {
  sipSessionSecondsFor,
  type DialAttemptOutcome,
  type DialRequest,
  type LegDialog,
  type NumberFormat,
  type Trunk,
} from '@outdial/calls';
import type { E164 } from '@outdial/contracts';
import { OFFERED_EVENT_PAYLOAD_TYPE } from '../rtp/remote-media.ts';
import { CallRequestError, type AttemptDecision, type CallRequest } from '../sip/session/call-request.ts';
import { withParam } from '../sip/syntax/params.ts';
import { formatSipUri, parseSipUri, type SipUri } from '../sip/syntax/uri.ts';

const PTIME_MS = 20;

/** Each target of a trunk is an attempt: another one is paced and fenced like the first. */
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
  /** Where our sound is, as the far end reaches it. */
  readonly media: { readonly address: string; readonly port: number };
}

/** Writes a call down for one trunk, by its rules. Throws `CallRequestError` for a trunk whose settings are no SIP. */
export function callRequestOf({ trunk, request, beginAttempt, ringTimeoutMs, media }: TrunkCall): CallRequest {
  const { credentials, outboundProxy, codecs, callerId } = trunk;
  const { callerNumber, calleeNumber, maxDurationMs, mayDial, awaitDialPermit, recorded } = request;
  const home = parse('uri', trunk.uri);
  const caller = formatSipUri(userAt(home, callerNumber, trunk.numberFormat));
  return {
    trunk: trunk.name,
    target: formatSipUri(overTransport(trunk, userAt(home, calleeNumber, trunk.numberFormat))),
    from: { uri: caller },
    ...(credentials === null ? {} : { credentials }),
    ...(outboundProxy === null
      ? {}
      : { outboundProxy: formatSipUri(overTransport(trunk, parse('outboundProxy', outboundProxy))) }),
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

/** The trunk itself, without a number: whom an OPTIONS asks. */
export function trunkTarget(trunk: Pick<Trunk, 'uri' | 'transport' | 'outboundProxy'>) {
  const { uri, outboundProxy } = trunk;
  return {
    target: formatSipUri(overTransport(trunk, parse('uri', uri))),
    ...(outboundProxy === null
      ? {}
      : { outboundProxy: formatSipUri(overTransport(trunk, parse('outboundProxy', outboundProxy))) }),
  };
}

function parse(field: string, text: string): SipUri {
  const uri = parseSipUri(text);
  if (uri === undefined) throw new CallRequestError(`the trunk's ${field} is no SIP URI: write it as sip:host.`);
  return uri;
}

/** Its own transport stands; one that names none takes the trunk's. */
function overTransport({ transport }: Pick<Trunk, 'transport'>, uri: SipUri): SipUri {
  return uri.params.has('transport') ? uri : { ...uri, params: withParam(uri.params, 'transport', transport) };
}

function userAt(home: SipUri, number: E164, format: NumberFormat): SipUri {
  return { ...home, user: format === 'digits' ? number.slice(1) : number };
}
