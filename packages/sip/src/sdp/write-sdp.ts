import type { AudioCodec, Direction } from './session-description.ts';

/** The origin line of our descriptions. The version increments whenever the rest changes (RFC 3264 section 8). */
export interface Origin {
  readonly sessionId: number;
  readonly version: number;
}

export interface AudioLine {
  readonly address: string;
  readonly port: number;
  readonly codecs: readonly { readonly codec: AudioCodec; readonly payloadType: number }[];
  readonly dtmfPayloadType: number | null;
  readonly ptimeMs: number;
  readonly direction: Direction;
}

/** A media section of the far end that we reject, at its position (RFC 3264 section 6). */
export interface RejectedSection {
  readonly type: string;
  readonly profile: string;
  readonly format: string;
}

export function writeSdp(
  { sessionId, version }: Origin,
  audio: AudioLine,
  sections: readonly (RejectedSection | 'audio')[] = ['audio'],
): string {
  const { address } = audio;
  const lines = ['v=0', `o=- ${sessionId} ${version} IN IP4 ${address}`, 's=-', `c=IN IP4 ${address}`, 't=0 0'];
  for (const section of sections) {
    if (section === 'audio') lines.push(...audioLines(audio));
    else lines.push(`m=${section.type} 0 ${section.profile} ${section.format}`);
  }
  return `${lines.join('\r\n')}\r\n`;
}

function audioLines({ port, codecs, dtmfPayloadType, ptimeMs, direction }: AudioLine): string[] {
  const formats = codecs.map(({ payloadType }) => payloadType);
  if (dtmfPayloadType !== null) formats.push(dtmfPayloadType);
  const lines = [`m=audio ${port} RTP/AVP ${formats.join(' ')}`];
  for (const { codec, payloadType } of codecs) lines.push(`a=rtpmap:${payloadType} ${codec}/8000`);
  if (dtmfPayloadType !== null) {
    lines.push(`a=rtpmap:${dtmfPayloadType} telephone-event/8000`, `a=fmtp:${dtmfPayloadType} 0-16`);
  }
  lines.push(`a=ptime:${ptimeMs}`, `a=${direction}`);
  return lines;
}
