/** Inclusive positions. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export type RangeChoice =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly range: ByteRange }
  | { readonly kind: 'unsatisfiable' };

const WHOLE: RangeChoice = { kind: 'whole' };

/**
 * The bytes that a `Range` header selects of `sizeBytes` (RFC 9110 section 14.2). A header that is malformed, in
 * another unit, or with several ranges is ignored, as the RFC allows: the whole content is always a correct answer.
 */
export function chooseRange(header: string | null, sizeBytes: number): RangeChoice {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (!match) return WHOLE;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return WHOLE;
  if (first === '') return lastBytes(Number(last), sizeBytes);
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Number(last);
  if (last !== '' && end < start) return WHOLE;
  if (start >= sizeBytes) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start, end: Math.min(end, sizeBytes - 1) } };
}

function lastBytes(count: number, sizeBytes: number): RangeChoice {
  if (count === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
  return { kind: 'part', range: { start: Math.max(0, sizeBytes - count), end: sizeBytes - 1 } };
}
