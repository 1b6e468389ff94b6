/** Builds a message from lines; adds the empty line and the body. */
export function wire(lines: readonly string[], body = ''): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

export const INVITE_LINES = [
  'INVITE sip:bob@example.test SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKabc;rport',
  'From: "A" <sip:alice@example.test>;tag=1',
  'To: <sip:bob@example.test>',
  'Call-ID: 1@example.test',
  'CSeq: 7 INVITE',
] as const;

export const RESPONSE_LINES = [
  'SIP/2.0 200 OK',
  ...INVITE_LINES.slice(1, 3),
  'To: <sip:bob@example.test>;tag=2',
  ...INVITE_LINES.slice(4),
] as const;
