import { envChoice, invariant, type Env, type EnvSpec } from '@outdial/kernel';
import { z } from 'zod';

const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
type SamplerName = (typeof SAMPLERS)[number];

const ratio = z
  .string()
  .regex(/^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/, { error: 'must be a number from 0 to 1, such as 0.05', abort: true })
  .transform(Number);

/** What Node sends: any other value fails every export. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The standard names, as far as they are read. Both processes read the same. */
export const tracesEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z
      .string()
      .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
        error: 'must be a URL that begins with http:// or https://',
      })
      .optional(),
    description:
      'OTLP/HTTP endpoint to which spans are sent, such as http://collector:4318; `/v1/traces` is added. Unset: no traces.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z
      .string()
      .refine((text) => readPairs(text) !== null, {
        error: 'must be a list such as name=value,other=value',
        abort: true,
      })
      .refine(
        (text) => Object.values(readPairs(text) ?? {}).every((value) => HEADER_VALUE.test(value)),
        'must have no line break and no character beyond Latin-1 in a value',
      )
      .optional(),
    description: 'Headers of those requests, as `name=value`, separated by commas. Values are percent-encoded.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().max(200).optional(),
    description: 'Name of this process in traces. Default: `outdial-api`, `outdial-worker`.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: z
      .string()
      .refine((text) => readPairs(text) !== null, 'must be a list such as name=value,other=value')
      .optional(),
    description: 'Attributes of this process in traces, such as `deployment.environment.name=production`.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: envChoice(SAMPLERS).default('parentbased_traceidratio'),
    description: 'Which calls are traced. With `parentbased_`, a client’s trace is continued only if it is sampled.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: ratio.default(0.05),
    description: 'The part of the calls that is traced, from 0 to 1, if the sampler is one of the two with `ratio`.',
  },
} as const satisfies EnvSpec;

/** How spans are sampled and sent. */
export interface TraceSettings {
  /** Of the traces endpoint. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Of the process. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampling: Sampling;
}

export interface Sampling {
  /** From 0 to 1. */
  readonly ratio: number;
  /** Whether a trace of a client must be sampled to be continued. */
  readonly asksParent: boolean;
}

/** Null: nothing is traced. */
export function traceSettingsOf(env: Env<typeof tracesEnv>, serviceName: string): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  if (endpoint === undefined) return null;
  const url = new URL(endpoint);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return {
    url: url.href,
    headers: pairsOf(env.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: env.OTEL_SERVICE_NAME ?? serviceName,
    attributes: pairsOf(env.OTEL_RESOURCE_ATTRIBUTES),
    sampling: samplingOf(env.OTEL_TRACES_SAMPLER, env.OTEL_TRACES_SAMPLER_ARG),
  };
}

function samplingOf(sampler: SamplerName, asked: number): Sampling {
  const asksParent = sampler.startsWith('parentbased_');
  if (sampler.endsWith('always_on')) return { ratio: 1, asksParent };
  return { ratio: sampler.endsWith('always_off') ? 0 : asked, asksParent };
}

function pairsOf(text = ''): Readonly<Record<string, string>> {
  const pairs = readPairs(text);
  invariant(pairs, 'the schema has read the list');
  return pairs;
}

/** In the format of W3C Baggage, without properties. Null if it is not that. */
function readPairs(text: string): Readonly<Record<string, string>> | null {
  const pairs: Record<string, string> = {};
  for (const part of text.split(',')) {
    if (part.trim() === '') continue;
    const [, name, encoded] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(part) ?? [];
    if (name === undefined || encoded === undefined) return null;
    try {
      pairs[name] = decodeURIComponent(encoded);
    } catch {
      return null;
    }
  }
  return pairs;
}
