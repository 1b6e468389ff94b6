/** The fixed header of RFC 3550 section 5.1, without contributing sources: we are not a mixer. */
export interface RtpHeader {
  readonly marker: boolean;
  /** 0 … 127. */
  readonly payloadType: number;
  /** 16 bits. */
  readonly sequenceNumber: number;
  /** 32 bits, in samples. */
  readonly timestamp: number;
  /** 32 bits. */
  readonly ssrc: number;
}

export interface RtpPacket extends RtpHeader {
  /** A view into the datagram, without padding. */
  readonly payload: Uint8Array;
}

export const RTP_HEADER_BYTES = 12;

const VERSION_2 = 0x80;
const PADDING = 0x20;
const EXTENSION = 0x10;
const MARKER = 0x80;

/**
 * Parses a datagram on the RTP port. Null if it is not RTP: too short, another version, inconsistent lengths, or RTCP
 * sent to the wrong port (payload types 64 … 95, RFC 5761 section 4).
 */
export function parseRtpPacket(datagram: Buffer): RtpPacket | null {
  if (datagram.length < RTP_HEADER_BYTES) return null;
  const first = datagram.readUInt8(0);
  const second = datagram.readUInt8(1);
  if ((first & 0xc0) !== VERSION_2) return null;
  const payloadType = second & 0x7f;
  if (payloadType >= 64 && payloadType <= 95) return null;
  const start = payloadStart(datagram, first);
  const end = first & PADDING ? datagram.length - datagram.readUInt8(datagram.length - 1) : datagram.length;
  // Padding counts itself: a count of zero is as wrong as one that reaches into the header.
  if (start > end || (first & PADDING && end === datagram.length)) return null;
  return {
    marker: (second & MARKER) !== 0,
    payloadType,
    sequenceNumber: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    ssrc: datagram.readUInt32BE(8),
    payload: datagram.subarray(start, end),
  };
}

/** After the contributing sources and the header extension; beyond the datagram if they do not fit into it. */
function payloadStart(datagram: Buffer, first: number): number {
  const extensionAt = RTP_HEADER_BYTES + 4 * (first & 0x0f);
  if (!(first & EXTENSION)) return extensionAt;
  if (datagram.length < extensionAt + 4) return Infinity;
  return extensionAt + 4 + 4 * datagram.readUInt16BE(extensionAt + 2);
}

/** Writes the header into the first RTP_HEADER_BYTES of `packet`. */
export function writeRtpHeader(packet: Buffer, header: RtpHeader): void {
  packet[0] = VERSION_2;
  packet[1] = (header.marker ? MARKER : 0) | header.payloadType;
  packet.writeUInt16BE(header.sequenceNumber, 2);
  packet.writeUInt32BE(header.timestamp, 4);
  packet.writeUInt32BE(header.ssrc, 8);
}
