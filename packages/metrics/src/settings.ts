import { envInteger, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';

/** All processes share the address; each kind of process has its own port. */
export const metricsHostEnv = {
  METRICS_HOST: {
    schema: z.string().default('127.0.0.1'),
    description: 'Address on which metrics are served. Anyone who can reach it can read them.',
  },
} as const satisfies EnvSpec;

/** 0 selects any free port. */
export const metricsPortSchema = envInteger({ min: 0, max: 65_535 }).optional();
