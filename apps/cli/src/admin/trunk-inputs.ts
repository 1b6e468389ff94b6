import {
  NUMBER_FORMATS,
  TRUNK_CODECS,
  TRUNK_HEALTH_CHECKS,
  TRUNK_MEDIA_SOURCES,
  TRUNK_TRANSFERS,
  TRUNK_TRANSPORTS,
  type TrunkCodec,
} from '@outdial/calls';
import { sipHostText } from '@outdial/contracts';
import { z } from 'zod';
import { wholeNumberText } from './inputs.ts';

const yesOrNoText = z.enum(['yes', 'no'], 'must be yes or no').transform((text) => text === 'yes');

const prefixesText = z
  .string()
  .refine(
    (text) => text === '' || text.split(',').every((prefix) => /^[1-9]\d{0,14}$/.test(prefix)),
    "must be digits without the plus sign, separated by commas, such as 1202,44; '' for every number",
  )
  .transform((text) => (text === '' ? [] : text.split(',')));

const isCodec = (text: string): text is TrunkCodec => TRUNK_CODECS.some((codec) => codec === text);

const codecsText = z.string().transform((text, context): readonly TrunkCodec[] => {
  const codecs = text.toUpperCase().split(',');
  if (codecs.every(isCodec) && new Set(codecs).size === codecs.length) return codecs;
  context.addIssue({ code: 'custom', message: 'must be PCMU, PCMA, or both in your order, such as PCMA,PCMU' });
  return z.NEVER;
});

const port16 = { min: 0, max: 65_535 };

/** A field for each flag that sets up a trunk. */
export const trunkFields = {
  uri: sipHostText,
  transport: z.enum(TRUNK_TRANSPORTS, 'must be udp, tcp or tls'),
  outboundProxy: sipHostText.or(z.literal('')).transform((text) => (text === '' ? null : text)),
  channels: wholeNumberText({ min: 1, max: 100_000 }),
  callsPerSecond: wholeNumberText({ min: 1, max: 1_000 }),
  callerPrefixes: prefixesText,
  assertCaller: yesOrNoText,
  numberFormat: z.enum(NUMBER_FORMATS, 'must be e164 (+12025550143) or digits (12025550143)'),
  codecs: codecsText,
  priority: wholeNumberText(port16),
  weight: wholeNumberText(port16),
  healthCheck: z.enum(TRUNK_HEALTH_CHECKS, 'must be options or none'),
  mediaSource: z.enum(TRUNK_MEDIA_SOURCES, 'must be sdp_host or any'),
  transfers: z.enum(TRUNK_TRANSFERS, 'must be none, numbers or any'),
  username: z.string().trim().max(200, 'must be at most 200 characters'),
  passwordFile: z.string().min(1, 'must be a path, or - for standard input'),
};

export const TRUNK_FLAGS = [
  ['--uri <uri>', 'the carrier’s address, such as sip:trunk.example'],
  ['--transport <name>', 'udp (default), tcp or tls'],
  ['--outbound-proxy <uri>', "a proxy that receives all requests; '' for none"],
  ['--channels <n>', 'the most calls at once'],
  ['--calls-per-second <n>', 'the most new calls per second, across all workers'],
  ['--caller-prefixes <list>', 'the caller numbers that the carrier accepts, such as 1202,44 (default: every number)'],
  ['--assert-caller <yes|no>', 'also send the caller number in P-Asserted-Identity (default: no)'],
  ['--number-format <name>', 'numbers on the wire: e164 (+12025550143, default) or digits (12025550143)'],
  ['--codecs <list>', 'offered codecs, the preferred one first (default: PCMU,PCMA)'],
  ['--priority <n>', 'the trunk with the smallest number is tried first (default: 10)'],
  ['--weight <n>', 'its share of the calls among trunks of its priority (default: 10)'],
  ['--health-check <name>', 'options (default), or none for a carrier that never answers OPTIONS'],
  ['--media-source <name>', 'accepted source of RTP: sdp_host (default), or any for a carrier behind a media proxy'],
  [
    '--transfers <name>',
    'destinations of agents: none (default), numbers, or any for SIP URIs too. The carrier bills them to you',
  ],
  ['--username <name>', "for digest authentication; with --password-file. '' for none"],
  ['--password-file <path>', 'a file that holds the password, or - for standard input'],
] as const;
