import { isIPv4 } from 'node:net';
import { envChoice, envInteger, EnvError, envLogLevel, parseEnv, type Env, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';
import { numberTableSchema } from './number-table.ts';

const portRange = z.string().transform((text, context) => {
  const groups = /^(?<first>\d{1,5})-(?<last>\d{1,5})$/.exec(text)?.groups;
  const [firstPort, lastPort] = [Number(groups?.['first']), Number(groups?.['last'])];
  const isRange = firstPort >= 1_024 && firstPort % 2 === 0 && lastPort > firstPort && lastPort < 65_536;
  if (isRange) return { firstPort, lastPort };
  context.addIssue({
    code: 'custom',
    message: 'must be an even first port of at least 1024 and a higher last port, such as 22000-23999',
  });
  return z.NEVER;
});

/** SDP and Via carry it, so it must be an address that callers can reach. */
const ownAddress = z
  .string()
  .refine((text) => isIPv4(text) && text !== '0.0.0.0', 'must be one IPv4 address of this machine, not 0.0.0.0');

/** Every variable that the callee reads. */
export const calleeEnv = {
  OUTDIAL_CALLEE_ADDRESS: {
    schema: ownAddress.default('127.0.0.1'),
    description: 'Address to listen on for SIP and RTP.',
  },
  OUTDIAL_CALLEE_SIP_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).default(5_080),
    description: 'For UDP and TCP alike; 0 picks a free one, which is logged.',
  },
  OUTDIAL_CALLEE_TLS_PORT: {
    schema: envInteger({ min: 0, max: 65_535 }).optional(),
    description: 'For TLS; 0 picks a free one. TLS is off unless set. Needs a certificate and its key.',
  },
  OUTDIAL_CALLEE_TLS_CERTIFICATE: {
    schema: z.string().optional(),
    description: 'PEM file of the certificate, with its chain.',
  },
  OUTDIAL_CALLEE_TLS_KEY: { schema: z.string().optional(), description: 'PEM file of its private key.' },
  OUTDIAL_CALLEE_RTP_PORTS: {
    schema: portRange.default({ firstPort: 22_000, lastPort: 23_999 }),
    description: 'First and last port for RTP and RTCP: two for every concurrent call.',
  },
  OUTDIAL_CALLEE_USER: {
    schema: z.string().optional(),
    description:
      'Calls must authenticate with this name and the password (digest, 407). Without it, any caller is accepted.',
  },
  OUTDIAL_CALLEE_PASSWORD: { schema: z.string().optional(), description: 'Required with OUTDIAL_CALLEE_USER.' },
  OUTDIAL_CALLEE_TABLE: {
    schema: numberTableSchema.optional(),
    description: 'Replaces the test numbers, as JSON: {"+12025550100":"busy"}.',
  },
  OUTDIAL_CALLEE_HOLD: {
    schema: envChoice(['sendonly', 'inactive']).default('sendonly'),
    description: 'The direction that a callee offers when it puts the call on hold.',
  },
  OUTDIAL_CALLEE_NO_AUDIO_SECONDS: {
    schema: envInteger({ min: 0, max: 86_400 }).default(60),
    description: 'Hangs up a caller that sends no RTP for this long; 0 disables the limit.',
  },
  OUTDIAL_CALLEE_JOURNAL: {
    schema: z.string().optional(),
    description: 'File to which a JSON line is appended for every event of a call, with full numbers.',
  },
  LOG_LEVEL: { schema: envLogLevel.default('info'), description: 'Lowest level of log lines that are written.' },
} as const satisfies EnvSpec;

export type CalleeConfig = Env<typeof calleeEnv>;

/** @throws EnvError that names each invalid variable. */
export function readConfig(source: NodeJS.ProcessEnv): CalleeConfig {
  const config = parseEnv(calleeEnv, source);
  if ((config.OUTDIAL_CALLEE_USER === undefined) !== (config.OUTDIAL_CALLEE_PASSWORD === undefined)) {
    throw new EnvError('Set both OUTDIAL_CALLEE_USER and OUTDIAL_CALLEE_PASSWORD, or neither.');
  }
  const tls = [config.OUTDIAL_CALLEE_TLS_PORT, config.OUTDIAL_CALLEE_TLS_CERTIFICATE, config.OUTDIAL_CALLEE_TLS_KEY];
  if (new Set(tls.map((value) => value === undefined)).size === 2) {
    throw new EnvError(
      'Set all of OUTDIAL_CALLEE_TLS_PORT, OUTDIAL_CALLEE_TLS_CERTIFICATE and OUTDIAL_CALLEE_TLS_KEY, or none.',
    );
  }
  return config;
}
