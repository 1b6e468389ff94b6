import type { EnvSpec } from '@outdial/kernel';
import { z } from 'zod';
import { parseNetwork, type Network } from './address.ts';

/** `OUTDIAL_EGRESS_ALLOW`: networks and addresses, separated by commas. */
export const envEgressAllow = z.string().transform((text, context): readonly Network[] => {
  const networks: Network[] = [];
  for (const entry of text.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const network = parseNetwork(entry);
    if (network === undefined) {
      context.addIssue(
        `must list networks or addresses with commas, such as 10.20.0.0/16,fd00:1::/64: "${entry}" is neither`,
      );
      return z.NEVER;
    }
    networks.push(network);
  }
  return networks;
});

/** `OUTDIAL_EGRESS_PROXY`: an HTTP proxy that tunnels with CONNECT. */
export const envEgressProxy = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    'must be an http:// or https:// URL',
  )
  .transform((text) => new URL(text));

/** Where requests to addresses of customers and providers may go. */
export const egressEnv = {
  OUTDIAL_EGRESS_ALLOW: {
    schema: envEgressAllow.prefault(''),
    description:
      'Networks and addresses of your own, separated by commas, that tools of agents, webhooks and the operator’s provider credentials may lead to: 10.20.0.0/16. Everything else must be on the public internet.',
  },
  OUTDIAL_EGRESS_PROXY: {
    schema: envEgressProxy.optional(),
    description: 'HTTP proxy for requests to providers. Default: they are sent directly.',
  },
} as const satisfies EnvSpec;
