import { isIPv4 } from 'node:net';
import type { AudioCodec, Direction, MediaSection, SessionDescription } from './session-description.ts';

/** The far end's audio, reduced to what we support. */
export interface RemoteAudio {
  /** Its position among the media sections. */
  readonly index: number;
  readonly address: string;
  readonly port: number;
  /** In the far end's order of preference. */
  readonly codecs: readonly { readonly codec: AudioCodec; readonly payloadType: number }[];
  readonly dtmfPayloadType: number | null;
  readonly ptimeMs: number;
  /** From the far end's side. */
  readonly direction: Direction;
}

const DEFAULT_PTIME_MS = 20;
/** The longest packet that a jitter buffer can handle. */
const MAX_PTIME_MS = 200;

/** The first audio section over plain RTP with a codec and an address that we support; undefined when there is none. */
export function readAudio({ media }: SessionDescription, codecs: readonly AudioCodec[]): RemoteAudio | undefined {
  for (const [index, section] of media.entries()) {
    const { type, port, profile, address } = section;
    if (type !== 'audio' || profile !== 'RTP/AVP' || port === 0 || !isUnicast(address)) continue;
    const usable = section.formats.flatMap((format) => {
      const codec = codecs.find((candidate) => section.encodings.get(format) === `${candidate.toLowerCase()}/8000`);
      return codec === undefined ? [] : [{ codec, payloadType: Number(format) }];
    });
    if (usable.length === 0) continue;
    const dtmf = section.formats.find((format) => section.encodings.get(format) === 'telephone-event/8000');
    const ptimeMs = section.ptimeMs ?? DEFAULT_PTIME_MS;
    return {
      index,
      address,
      port,
      codecs: usable,
      dtmfPayloadType: dtmf === undefined ? null : Number(dtmf),
      ptimeMs: ptimeMs > 0 && ptimeMs <= MAX_PTIME_MS ? ptimeMs : DEFAULT_PTIME_MS,
      direction: directionOf(section),
    };
  }
  return undefined;
}

/** The direction as seen from the other side (RFC 3264 section 6.1). */
export function mirrored(direction: Direction): Direction {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}

function sends(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'sendonly';
}

function receives(direction: Direction): boolean {
  return direction === 'sendrecv' || direction === 'recvonly';
}

/** The direction that both sides allow, all seen from our side. */
export function both(left: Direction, right: Direction): Direction {
  const [send, receive] = [sends(left) && sends(right), receives(left) && receives(right)];
  if (send) return receive ? 'sendrecv' : 'sendonly';
  return receive ? 'recvonly' : 'inactive';
}

/** RFC 2543 put a call on hold by the address 0.0.0.0: "do not send to me". */
function directionOf({ address, direction }: MediaSection): Direction {
  return address === '0.0.0.0' ? both(direction, 'sendonly') : direction;
}

function isUnicast(address: string | null): address is string {
  return address !== null && isIPv4(address) && Number.parseInt(address, 10) < 224;
}
