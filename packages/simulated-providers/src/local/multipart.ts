export interface FormPart {
  readonly name: string;
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly body: Buffer;
}

const HEAD_END = '\r\n\r\n';

/** The parts of a form (RFC 7578 section 4), or null if it is none: what is between them must be exact. */
export function readForm(contentType: string, bytes: Buffer): readonly FormPart[] | null {
  const boundary = /^multipart\/form-data; boundary="?([\w'()+,./:=?-]{1,70})"?$/.exec(contentType)?.[1];
  if (boundary === undefined) return null;
  const delimiter = `--${boundary}`;
  if (bytes.toString('latin1', 0, delimiter.length + 2) !== `${delimiter}\r\n`) return null;
  const parts: FormPart[] = [];
  for (let at = delimiter.length + 2; ;) {
    const end = bytes.indexOf(`\r\n${delimiter}`, at, 'latin1');
    const part = end < 0 ? null : readPart(bytes.subarray(at, end));
    if (part === null) return null;
    parts.push(part);
    at = end + delimiter.length + 4;
    const next = bytes.toString('latin1', at - 2, at);
    if (next === '--') return bytes.toString('latin1', at) === '\r\n' ? parts : null;
    if (next !== '\r\n') return null;
  }
}

function readPart(bytes: Buffer): FormPart | null {
  const headEnd = bytes.indexOf(HEAD_END, 0, 'latin1');
  if (headEnd < 0) return null;
  const head = bytes.toString('utf8', 0, headEnd);
  const disposition = /^Content-Disposition: form-data; name="([^"]+)"(?:; filename="([^"]+)")?$/im.exec(head);
  if (disposition === null) return null;
  return {
    name: disposition[1] ?? '',
    fileName: disposition[2] ?? null,
    contentType: /^Content-Type: (\S+)$/im.exec(head)?.[1] ?? null,
    body: bytes.subarray(headEnd + HEAD_END.length),
  };
}
