import { MAX_CSEQ } from './limits.ts';

/** The order of a request within its dialog, and its method (RFC 3261 section 20.16). */
export interface CSeq {
  readonly number: number;
  readonly method: string;
}

export function parseCSeq(text: string): CSeq | undefined {
  const groups = /^(?<number>\d{1,10})\s+(?<method>\S+)$/.exec(text.trim())?.groups;
  const method = groups?.['method'];
  const number = Number(groups?.['number']);
  if (method === undefined || !(number <= MAX_CSEQ)) return undefined;
  return { number, method };
}

export function formatCSeq({ number, method }: CSeq): string {
  return `${number} ${method}`;
}

/** Which provisional response a PRACK acknowledges (RFC 3262 section 7.2). */
export interface RAck extends CSeq {
  readonly rseq: number;
}

export function parseRAck(text: string): RAck | undefined {
  const groups = /^(?<rseq>\d{1,10})\s+(?<cseq>\d.*)$/.exec(text.trim())?.groups;
  const cseq = parseCSeq(groups?.['cseq'] ?? '');
  return cseq === undefined ? undefined : { rseq: Number(groups?.['rseq']), ...cseq };
}

export function formatRAck({ rseq, number, method }: RAck): string {
  return `${rseq} ${number} ${method}`;
}
