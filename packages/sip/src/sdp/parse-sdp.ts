import { STATIC_ENCODINGS, type Direction, type MediaSection, type SessionDescription } from './session-description.ts';

/** More than any telephone offers; each section costs a line of the answer. */
const MAX_MEDIA_SECTIONS = 16;

type OpenSection = { -readonly [Key in keyof MediaSection]: MediaSection[Key] } & { encodings: Map<string, string> };

/**
 * Reads a session description; undefined when the text is not one. Skips lines that it does not need. A media section
 * inherits the session's address and direction.
 */
export function parseSdp(text: string): SessionDescription | undefined {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== 'v=0') return undefined;
  const session: { address: string | null; direction: Direction } = { address: null, direction: 'sendrecv' };
  const media: OpenSection[] = [];
  for (const line of lines) {
    const value = line.slice(2).trim();
    if (line.startsWith('m=')) {
      const section = openSection(value, session);
      if (section === undefined || media.length === MAX_MEDIA_SECTIONS) return undefined;
      media.push(section);
    } else if (line.startsWith('c=')) {
      const address = connectionAddress(value);
      if (address === undefined) return undefined;
      (media.at(-1) ?? session).address = address;
    } else if (line.startsWith('a=')) readAttribute(value, media.at(-1) ?? session);
  }
  return { media };
}

function openSection(
  value: string,
  session: { address: string | null; direction: Direction },
): OpenSection | undefined {
  const groups = /^(?<type>[\w-]+) (?<port>\d{1,5})(?:\/\d+)? (?<profile>\S+) (?<formats>.+)$/.exec(value)?.groups;
  const port = Number(groups?.['port']);
  const { type, profile, formats } = groups ?? {};
  if (type === undefined || profile === undefined || formats === undefined || port > 65_535) return undefined;
  return {
    type,
    port,
    profile,
    formats: formats.split(/\s+/),
    encodings: new Map(STATIC_ENCODINGS),
    ptimeMs: null,
    ...session,
  };
}

/** RFC 8866 section 5.7: `IN IP4 192.0.2.1`, with a time to live after a multicast address. */
function connectionAddress(value: string): string | undefined {
  return /^IN IP[46] (?<address>[^\s/]+)/.exec(value)?.groups?.['address'];
}

function readAttribute(value: string, target: OpenSection | { direction: Direction }): void {
  switch (value) {
    case 'sendrecv':
    case 'sendonly':
    case 'recvonly':
    case 'inactive':
      target.direction = value;
      return;
    default:
      if ('encodings' in target) readMediaAttribute(value, target);
  }
}

function readMediaAttribute(value: string, section: OpenSection): void {
  const map = /^rtpmap:(?<format>\d{1,3}) (?<encoding>[\w.-]+\/\d+)/.exec(value)?.groups;
  if (map?.['format'] !== undefined && map['encoding'] !== undefined) {
    section.encodings.set(map['format'], map['encoding'].toLowerCase());
    return;
  }
  const ptime = /^ptime:(?<ms>\d{1,3})$/.exec(value)?.groups?.['ms'];
  if (ptime !== undefined) section.ptimeMs = Number(ptime);
}
