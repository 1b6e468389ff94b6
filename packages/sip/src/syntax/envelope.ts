import { parseCSeq } from './cseq.ts';
import type { Headers } from './headers.ts';
import type { Envelope } from './message.ts';
import { parseNameAddr } from './name-addr.ts';
import { parseVia } from './via.ts';

export type EnvelopeOutcome =
  | { readonly kind: 'read'; readonly envelope: Envelope }
  | { readonly kind: 'missing'; readonly name: string };

/** Parses the mandatory header fields. A field that must be unique and is not counts as unreadable. */
export function readEnvelope(headers: Headers): EnvelopeOutcome {
  const via = parseVia(headers.get('via') ?? '');
  if (via === undefined) return { kind: 'missing', name: 'Via' };
  const from = parseNameAddr(single(headers, 'from'));
  if (from === undefined) return { kind: 'missing', name: 'From' };
  const to = parseNameAddr(single(headers, 'to'));
  if (to === undefined) return { kind: 'missing', name: 'To' };
  const callId = single(headers, 'call-id');
  if (!/^\S{1,512}$/.test(callId)) return { kind: 'missing', name: 'Call-ID' };
  const cseq = parseCSeq(single(headers, 'cseq'));
  if (cseq === undefined) return { kind: 'missing', name: 'CSeq' };
  return { kind: 'read', envelope: { via, from, to, callId, cseq } };
}

/** A message with two of them could be read as belonging to two different dialogs. */
function single(headers: Headers, name: string): string {
  const [value = '', ...others] = headers.all(name);
  return others.length > 0 ? '' : value;
}
