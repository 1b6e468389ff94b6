import { MAX_BODY_BYTES, MAX_HEAD_BYTES } from './limits.ts';

export type Framed =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** A double CRLF asks for a single CRLF in return (RFC 5626 section 3.5.1). */
  | { readonly kind: 'ping' }
  /** The stream cannot be parsed any further and must be closed. */
  | { readonly kind: 'broken'; readonly reason: string };

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\n(?:content-length|l)[ \t]*:[ \t]*([^\r\n]*)/gi;

/** Cuts a stream into messages by Content-Length, which streams must carry (RFC 3261 section 18.3). */
export class StreamFramer {
  #chunks: Buffer[] = [];
  #length = 0;
  /** Does not search again before this many bytes are there: otherwise a slow sender makes every byte cost a search. */
  #wanted = 0;
  #broken = false;

  /** A message has started and is not complete. */
  get isPartial(): boolean {
    return this.#length > 0;
  }

  push(chunk: Buffer): Framed[] {
    if (this.#broken) return [];
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < this.#wanted) return [];
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const framed: Framed[] = [];
    for (;;) {
      rest = skipKeepAlive(rest, framed);
      const next = cut(rest);
      if (next.kind === 'incomplete') {
        this.#keep(rest, next.wanted);
        return framed;
      }
      framed.push(next);
      if (next.kind === 'broken') {
        this.#broken = true;
        this.#keep(Buffer.alloc(0), 0);
        return framed;
      }
      rest = rest.subarray(next.bytes.length);
    }
  }

  #keep(rest: Buffer, wanted: number): void {
    this.#chunks = rest.length === 0 ? [] : [rest];
    this.#length = rest.length;
    this.#wanted = wanted;
  }
}

type Cut = Exclude<Framed, { kind: 'ping' }> | { readonly kind: 'incomplete'; readonly wanted: number };

function cut(bytes: Buffer): Cut {
  const end = bytes.indexOf(HEAD_END);
  const headLength = end < 0 ? bytes.length : end;
  if (headLength > MAX_HEAD_BYTES) return { kind: 'broken', reason: `header fields beyond ${MAX_HEAD_BYTES} bytes` };
  if (end < 0) return { kind: 'incomplete', wanted: 0 };
  const values = [...bytes.toString('latin1', 0, end).matchAll(CONTENT_LENGTH)].map((match) => match[1]?.trim() ?? '');
  const [value = '0'] = values;
  // Peers that count differently would see different messages in the rest of the stream.
  if (new Set(values).size > 1 || !/^\d{1,9}$/.test(value))
    return { kind: 'broken', reason: 'no usable Content-Length' };
  if (Number(value) > MAX_BODY_BYTES) return { kind: 'broken', reason: `a body beyond ${MAX_BODY_BYTES} bytes` };
  const wanted = end + HEAD_END.length + Number(value);
  if (bytes.length < wanted) return { kind: 'incomplete', wanted };
  return { kind: 'message', bytes: bytes.subarray(0, wanted) };
}

function skipKeepAlive(bytes: Buffer, framed: Framed[]): Buffer {
  let at = 0;
  while (bytes[at] === 0x0d && bytes[at + 1] === 0x0a) at += 2;
  if (at >= 4) framed.push({ kind: 'ping' });
  return bytes.subarray(at);
}
