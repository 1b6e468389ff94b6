/** The type of the body of a NOTIFY that reports on a REFER (RFC 3515 section 2.4.5, RFC 3420). */
export const SIPFRAG_TYPE = 'message/sipfrag;version=2.0';

/** The status that a fragment reports: that of its status line. Undefined without one. */
export function readSipFragStatus(body: Buffer): number | undefined {
  const status = /^\s*SIP\/2\.0[ \t]+(?<status>[1-6]\d\d)(?:[ \t\r\n]|$)/i.exec(body.toString('latin1'))?.groups?.[
    'status'
  ];
  return status === undefined ? undefined : Number(status);
}
