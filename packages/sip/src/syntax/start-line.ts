export type StartLine =
  | { readonly kind: 'request'; readonly method: string; readonly uri: string; readonly version: string }
  | { readonly kind: 'response'; readonly status: number; readonly phrase: string };

const REQUEST_LINE = /^(?<method>[A-Za-z\d.!%*_+`'~-]{1,32}) (?<uri>[^\s<>"]{1,2048}) SIP\/(?<version>\d+\.\d+)$/i;
const STATUS_LINE = /^SIP\/2\.0 (?<status>[1-6]\d\d)(?: (?<phrase>.*))?$/i;

/** RFC 3261 sections 7.1 and 7.2. */
export function parseStartLine(line: string): StartLine | undefined {
  const status = STATUS_LINE.exec(line)?.groups;
  if (status !== undefined) {
    return { kind: 'response', status: Number(status['status']), phrase: status['phrase'] ?? '' };
  }
  const request = REQUEST_LINE.exec(line)?.groups;
  const { method, uri, version } = request ?? {};
  if (method === undefined || uri === undefined || version === undefined) return undefined;
  return { kind: 'request', method, uri, version };
}
