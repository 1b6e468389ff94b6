/** Where a trace goes on, as W3C Trace Context writes it: `00-<trace id>-<span id>-<flags>`, lower-case hexadecimal. */
export type TraceParent = string & { readonly __brand: 'TraceParent' };

export interface TracePosition {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  /** Its spans are recorded. */
  readonly isSampled: boolean;
}

const LENGTH = 55;
const PATTERN = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
/** Of a later version, whose first four fields are read as those of version 00. */
const LATER = /^(?!00|ff)[\da-f]{2}(-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2})(?:-.*)?$/;

/** Null for what is no valid traceparent. Source: W3C Trace Context, section 3.2. */
export function parseTraceParent(text: string | null | undefined): TraceParent | null {
  if (text === null || text === undefined) return null;
  if (isTraceParent(text)) return text;
  const later = `00${LATER.exec(text)?.[1] ?? ''}`;
  return isTraceParent(later) ? later : null;
}

function isTraceParent(text: string): text is TraceParent {
  return text.length === LENGTH && PATTERN.test(text);
}

export function formatTraceParent({ traceId, spanId, isSampled }: TracePosition): TraceParent {
  const parent = parseTraceParent(`00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`);
  if (parent === null) throw new TypeError('a trace has an id of 32 digits and a span one of 16');
  return parent;
}

export function tracePositionOf(parent: TraceParent): TracePosition {
  return { traceId: parent.slice(3, 35), spanId: parent.slice(36, 52), isSampled: isSampled(parent) };
}

/** Quick: asked once or more for each call. */
export function isSampled(parent: TraceParent | null | undefined): parent is TraceParent {
  // The last bit of the flags: an odd digit.
  return parent !== null && parent !== undefined && '13579bdf'.includes(parent.charAt(LENGTH - 1));
}
