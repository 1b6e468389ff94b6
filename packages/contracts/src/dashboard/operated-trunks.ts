import { z } from 'zod';
import { trunkNameSchema } from '../trunk-name.ts';
import { wholeNumber } from './whole-number.ts';

const timestamp = z.iso.datetime({ precision: 3 });
const SIP_HOST = /^sip:(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::(?<port>\d{1,5}))?$/i;
const IPV6_HOST = /^sips?:(?:[^@]*@)?(?:\[|[\da-f]*:[\da-f]*:)/i;

/** A carrier's address without a user: each call puts the dialed number there. */
export const sipHostText = z
  .string()
  .trim()
  .max(300, 'must be at most 300 characters')
  .superRefine((text, context) => {
    const message = refusalOf(text);
    if (message !== null) context.addIssue({ code: 'custom', message });
  });

function refusalOf(text: string): string | null {
  if (IPV6_HOST.test(text)) {
    return 'must not be an IPv6 address: Outdial dials IPv4 only. Give a host name or an IPv4 address';
  }
  const port = Number(SIP_HOST.exec(text)?.groups?.['port'] ?? 5060);
  if (SIP_HOST.test(text) && port >= 1 && port <= 65_535) return null;
  return 'must be a SIP address without a user, such as sip:trunk.example or sip:192.0.2.1:5070';
}

export const callerPrefixText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'must be 1 to 15 digits without the plus sign, such as 1202');

/** The settings of a trunk, without its password. */
const settingsFields = {
  uri: sipHostText,
  transport: z.enum(['udp', 'tcp', 'tls'], 'must be udp, tcp or tls'),
  outbound_proxy: sipHostText.nullable(),
  /** How many calls may be up at once. */
  channels: wholeNumber(1, 100_000),
  calls_per_second: wholeNumber(1, 1_000),
  /** Empty: the carrier accepts every caller number. */
  caller_prefixes: z.array(callerPrefixText).max(100, 'must have at most 100 entries'),
  asserts_caller: z.boolean(),
  number_format: z.enum(['e164', 'digits'], 'must be e164 or digits'),
  codecs: z
    .array(z.enum(['PCMU', 'PCMA'], 'must be PCMU or PCMA'))
    .min(1, 'must have at least one entry')
    .refine((codecs) => new Set(codecs).size === codecs.length, 'must name each codec once'),
  priority: wholeNumber(0, 65_535),
  weight: wholeNumber(0, 65_535),
  health_check: z.enum(['options', 'none'], 'must be options or none'),
  /** Whose audio is accepted: that of the address in the SDP, or of the first address that sends. */
  media_source: z.enum(['sdp_host', 'any'], 'must be sdp_host or any'),
  /** Whom agents may transfer callees to: the carrier calls them, and bills it to the operator. */
  transfers: z.enum(['none', 'numbers', 'any'], 'must be none, numbers or any'),
};

/** No response contains the password. Null instead of both: the carrier requires no credentials. */
export const trunkCredentialsSchema = z.strictObject({
  username: z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters'),
  password: z
    .string()
    .min(1, 'must not be empty')
    .max(200, 'must be at most 200 characters')
    // oxlint-disable-next-line no-control-regex -- these are the rejected characters
    .regex(/^[^\r\n\0]+$/, 'must be a single line'),
});

export const TRUNK_TEST_STATES = ['asking', 'answered', 'silent', 'unsent'] as const;

export const operatedTrunkSchema = z.strictObject({
  name: trunkNameSchema,
  ...settingsFields,
  uri: z.string(),
  outbound_proxy: z.string().nullable(),
  enabled: z.boolean(),
  /** Null: the carrier requires no password. */
  username: z.string().nullable(),
  in_use: z.int(),
  created_at: timestamp,
  /** The condition as seen by each worker that reported within the last minute. */
  conditions: z.array(
    z.strictObject({
      worker_id: z.string(),
      state: z.enum(['up', 'unreachable', 'congested', 'unauthorized']),
      detail: z.string().nullable(),
      reported_at: timestamp,
    }),
  ),
  /** The latest test. Null: there was none. */
  test: z
    .strictObject({
      requested_at: timestamp,
      /** From the workers that have started it. */
      results: z.array(
        z.strictObject({
          worker_id: z.string(),
          state: z.enum(TRUNK_TEST_STATES),
          detail: z.string().nullable(),
          took_ms: z.int().nullable(),
        }),
      ),
    })
    .nullable(),
});
export type OperatedTrunkBody = z.output<typeof operatedTrunkSchema>;

/** `GET /api/dashboard/operations/trunks`, the preferred trunk first. */
export const operatedTrunkListSchema = z.strictObject({
  trunks: z.array(operatedTrunkSchema),
  /** Whether this process can seal passwords: `OUTDIAL_SECRET_KEY` is set. */
  can_set_passwords: z.boolean(),
  /** Running workers. Only workers that carry calls over SIP test trunks. */
  workers: z.int(),
});
export const operatedTrunkEnvelopeSchema = z.strictObject({ trunk: operatedTrunkSchema });

/** `POST /api/dashboard/operations/trunks`. Omitted fields get the defaults of the command line. */
export const addTrunkSchema = z.strictObject({
  name: trunkNameSchema,
  uri: settingsFields.uri,
  transport: settingsFields.transport.default('udp'),
  outbound_proxy: settingsFields.outbound_proxy.default(null),
  channels: settingsFields.channels,
  calls_per_second: settingsFields.calls_per_second,
  caller_prefixes: settingsFields.caller_prefixes.default([]),
  asserts_caller: settingsFields.asserts_caller.default(false),
  number_format: settingsFields.number_format.default('e164'),
  codecs: settingsFields.codecs.default(['PCMU', 'PCMA']),
  priority: settingsFields.priority.default(10),
  weight: settingsFields.weight.default(10),
  health_check: settingsFields.health_check.default('options'),
  media_source: settingsFields.media_source.default('sdp_host'),
  transfers: settingsFields.transfers.default('none'),
  credentials: trunkCredentialsSchema.nullable().default(null),
});
export type AddTrunkInput = z.input<typeof addTrunkSchema>;

/** `PATCH /api/dashboard/operations/trunks/{trunk_name}`. Omitted fields stay; null credentials remove them. */
export const updateTrunkSchema = z
  .strictObject({ ...settingsFields, credentials: trunkCredentialsSchema.nullable() })
  .partial()
  .refine((value) => Object.keys(value).length > 0, 'must have at least one field to change');
export type UpdateTrunkInput = z.input<typeof updateTrunkSchema>;
