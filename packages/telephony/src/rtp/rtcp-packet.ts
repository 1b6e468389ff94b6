import type { Reception } from './reception.ts';

/** A sender's report on its own stream (RFC 3550 section 6.4.1). */
export interface SenderInfo {
  /** The wall clock, in milliseconds since 1970. */
  readonly wallMs: number;
  /** The RTP timestamp of the same moment. */
  readonly timestamp: number;
  readonly packets: number;
  readonly octets: number;
}

/** A report on another sender's stream, and when its last sender report came. */
export interface ReportBlock extends Reception {
  readonly ssrc: number;
  /** The middle 32 bits of that report's NTP time; 0 before the first. */
  readonly lastReport: number;
  /** Time since it came, in 1/65,536 s. */
  readonly delaySinceLastReport: number;
}

export interface RtcpReport {
  readonly ssrc: number;
  readonly canonicalName: string;
  /** Null if nothing was sent since the last report: then it is a receiver report. */
  readonly sender: SenderInfo | null;
  readonly block: ReportBlock | null;
  /** This is the last report: the stream ends. */
  readonly bye: boolean;
}

/** What we use of a far end's packet. */
export interface ReceivedReport {
  readonly ssrc: number;
  /** The middle 32 bits of the NTP time of a sender report. */
  readonly sentAt: number | null;
  readonly blocks: readonly ReportBlock[];
  readonly bye: boolean;
}

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;
const BLOCK_BYTES = 24;
/** From 1900, where NTP begins, to 1970. */
const NTP_OFFSET_SECONDS = 2_208_988_800;

/** Seconds since 1900 and their fraction, 32 bits each. */
function ntpOf(wallMs: number): { readonly seconds: number; readonly fraction: number } {
  const seconds = Math.floor(wallMs / 1_000);
  const fraction = Math.floor((wallMs / 1_000 - seconds) * 2 ** 32);
  return { seconds: (seconds + NTP_OFFSET_SECONDS) >>> 0, fraction: fraction >>> 0 };
}

/** The middle 32 bits of an NTP time: seconds and fractions, 16 bits each. */
export function middleOfNtp(wallMs: number): number {
  const { seconds, fraction } = ntpOf(wallMs);
  return ((seconds << 16) | (fraction >>> 16)) >>> 0;
}

/** A compound packet: a report, our CNAME, and a BYE if it is the last. */
export function writeRtcp(report: RtcpReport): Buffer {
  const parts = [reportPart(report), namePart(report)];
  if (report.bye) parts.push(part(GOODBYE, 1, uint32(report.ssrc)));
  return Buffer.concat(parts);
}

/**
 * Reads a compound packet. Null if it breaks the rules of RFC 3550 appendix A.2: another version, no leading report, or
 * inconsistent lengths.
 */
export function parseRtcp(datagram: Buffer): ReceivedReport | null {
  let report: ReceivedReport | null = null;
  let bye = false;
  for (let at = 0; at < datagram.length;) {
    if (datagram.length - at < 8 || (datagram.readUInt8(at) & 0xc0) !== 0x80) return null;
    const end = at + 4 * (datagram.readUInt16BE(at + 2) + 1);
    if (end > datagram.length) return null;
    const body = datagram.subarray(at, end);
    const type = body.readUInt8(1);
    if (type === SENDER_REPORT || type === RECEIVER_REPORT) {
      const read = parseReport(body, type === SENDER_REPORT);
      if (!read) return null;
      report ??= read;
    }
    if (!report) return null;
    if (type === GOODBYE) bye = true;
    at = end;
  }
  return report && { ...report, bye };
}

function parseReport(body: Buffer, isSender: boolean): ReceivedReport | null {
  const count = body.readUInt8(0) & 0x1f;
  const blocksAt = isSender ? 28 : 8;
  if (body.length < blocksAt + count * BLOCK_BYTES) return null;
  const blocks = Array.from({ length: count }, (_, index) => parseBlock(body, blocksAt + index * BLOCK_BYTES));
  return { ssrc: body.readUInt32BE(4), sentAt: isSender ? body.readUInt32BE(10) : null, blocks, bye: false };
}

function parseBlock(body: Buffer, at: number): ReportBlock {
  return {
    ssrc: body.readUInt32BE(at),
    fractionLost: body.readUInt8(at + 4),
    cumulativeLost: body.readIntBE(at + 5, 3),
    highestSequence: body.readUInt32BE(at + 8),
    jitterSamples: body.readUInt32BE(at + 12),
    lastReport: body.readUInt32BE(at + 16),
    delaySinceLastReport: body.readUInt32BE(at + 20),
  };
}

function reportPart({ ssrc, sender, block }: RtcpReport): Buffer {
  const blocks = block ? blockBytes(block) : Buffer.alloc(0);
  const type = sender ? SENDER_REPORT : RECEIVER_REPORT;
  const info = sender ? senderBytes(sender) : Buffer.alloc(0);
  return part(type, block ? 1 : 0, Buffer.concat([uint32(ssrc), info, blocks]));
}

function senderBytes({ wallMs, timestamp, packets, octets }: SenderInfo): Buffer {
  const bytes = Buffer.alloc(20);
  const { seconds, fraction } = ntpOf(wallMs);
  bytes.writeUInt32BE(seconds, 0);
  bytes.writeUInt32BE(fraction, 4);
  bytes.writeUInt32BE(timestamp, 8);
  bytes.writeUInt32BE(packets, 12);
  bytes.writeUInt32BE(octets, 16);
  return bytes;
}

function blockBytes(block: ReportBlock): Buffer {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  bytes.writeUInt32BE(block.ssrc, 0);
  bytes.writeUInt8(block.fractionLost, 4);
  bytes.writeIntBE(block.cumulativeLost, 5, 3);
  bytes.writeUInt32BE(block.highestSequence, 8);
  bytes.writeUInt32BE(block.jitterSamples, 12);
  bytes.writeUInt32BE(block.lastReport, 16);
  bytes.writeUInt32BE(block.delaySinceLastReport, 20);
  return bytes;
}

/** A chunk ends with at least one null octet, on a 32-bit boundary (RFC 3550 section 6.5). */
function namePart({ ssrc, canonicalName }: RtcpReport): Buffer {
  const name = Buffer.from(canonicalName);
  const item = Buffer.concat([Buffer.of(CNAME, name.length), name]);
  const padded = Buffer.alloc(4 * Math.ceil((item.length + 1) / 4));
  padded.set(item);
  return part(SOURCE_DESCRIPTION, 1, Buffer.concat([uint32(ssrc), padded]));
}

/** `body` is a whole number of 32-bit words. */
function part(type: number, count: number, body: Buffer): Buffer {
  const header = Buffer.of(0x80 | count, type, 0, 0);
  header.writeUInt16BE(body.length / 4, 2);
  return Buffer.concat([header, body]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value, 0);
  return bytes;
}
