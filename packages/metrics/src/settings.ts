import { envInteger, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';

/** The address is shared by all processes; each kind of process has a port of its own. */
export const metricsHostEnv = {
  METRICS_HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address that metrics are told on; whoever reaches it may read them.',
  },
} as const satisfies EnvSpec;

/** 0 takes any free one. */
export const metricsPortSchema = envInteger({ min: 0, max: 65_535 }).optional();
