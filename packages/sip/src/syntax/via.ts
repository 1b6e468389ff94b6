import { formatParams, parseParams, type Params } from './params.ts';

/** One hop of a request (RFC 3261 section 20.42). */
export interface Via {
  /** In capitals: UDP, TCP, TLS, or whatever a peer claims. */
  readonly transport: string;
  readonly host: string;
  readonly port: number | null;
  readonly params: Params;
}

const VIA =
  /^SIP\s*\/\s*2\.0\s*\/\s*(?<transport>[\w-]+)\s+(?<host>\[[\da-f:.]+\]|[\w.-]+)(?:\s*:\s*(?<port>\d{1,5}))?\s*(?<params>;.*)?$/i;

export function parseVia(text: string): Via | undefined {
  const groups = VIA.exec(text.trim())?.groups;
  const transport = groups?.['transport'];
  const host = groups?.['host'];
  if (groups === undefined || transport === undefined || host === undefined) return undefined;
  const port = groups['port'] === undefined ? null : Number(groups['port']);
  if (port !== null && (port < 1 || port > 65_535)) return undefined;
  return { transport: transport.toUpperCase(), host, port, params: parseParams(groups['params'] ?? '') };
}

export function formatVia({ transport, host, port, params }: Via): string {
  return `SIP/2.0/${transport} ${host}${port === null ? '' : `:${port}`}${formatParams(params)}`;
}

export function branchOf(via: Via): string {
  return via.params.get('branch') ?? '';
}

/**
 * Records the source of a request, so that the response passes a NAT: `received` where the address differs or `rport`
 * asks for it, and `rport`'s value (RFC 3261 section 18.2.1, RFC 3581 section 4).
 */
export function stampVia(via: Via, source: { readonly address: string; readonly port: number }): Via {
  const asksForPort = via.params.has('rport');
  if (via.host === source.address && !asksForPort) return via;
  const params = new Map(via.params).set('received', source.address);
  if (asksForPort) params.set('rport', String(source.port));
  return { ...via, params };
}
