import { LOG_LEVELS } from '@outdial/kernel';
import { apiEnv } from '@outdial/api/documentation';
import { workerEnv } from '@outdial/worker/documentation';
import { settingsSchema } from './settings-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const label: Schema = { type: 'object', additionalProperties: { type: 'string' } };
/** Kubernetes' own shapes, which the cluster checks. */
const anyObject: Schema = { type: 'object' };
const anyObjects: Schema = { type: 'array', items: anyObject };
const texts: Schema = { type: 'array', items: text };
const port: Schema = { type: 'integer', minimum: 1, maximum: 65_535 };
const quantity: Schema = { type: 'string', pattern: '^(\\d+(\\.\\d+)?([KMGT]i?)?)?$' };
const url: Schema = { type: 'string', pattern: '^(https?://.+)?$' };
const network: Schema = { type: 'string', pattern: '^[0-9a-fA-F.:]+(/\\d{1,3})?$' };
const proxy: Schema = { type: 'string', pattern: '^([0-9a-fA-F.:]+(/\\d{1,3})?|loopback|linklocal|uniquelocal)$' };

const oneOf = (...words: readonly string[]): Schema => ({ enum: words });
const whole = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum === undefined ? {} : { maximum }),
});
/** Null: not set. */
const optionalWhole = (minimum: number): Schema => ({ type: ['integer', 'null'], minimum });
const closed = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  additionalProperties: false,
  properties,
});

const existingSecret = closed({ existingSecret: text });
const placement = {
  resources: anyObject,
  podAnnotations: label,
  podLabels: label,
  nodeSelector: label,
  tolerations: anyObjects,
  affinity: anyObject,
  priorityClassName: text,
};
const peers = closed({ to: anyObjects, port });

/** The variables that templates set; the others are settings by name. */
export interface OwnNames {
  readonly api: ReadonlySet<string>;
  readonly worker: ReadonlySet<string>;
}

/** `values.schema.json`: closed, so that a misspelled value fails the render. */
export function valuesSchema(own: OwnNames): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...closed({
      // Helm itself sets it.
      global: anyObject,
      image: closed({
        repository: text,
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
        pullSecrets: texts,
      }),
      nameOverride: text,
      fullnameOverride: text,
      externalPostgres: existingSecret,
      externalRedis: existingSecret,
      secrets: existingSecret,
      logLevel: oneOf(...LOG_LEVELS),
      recordings: closed({
        storage: oneOf('s3', 'filesystem'),
        retentionDays: optionalWhole(1),
        s3: closed({
          bucket: text,
          endpoint: url,
          region: text,
          prefix: text,
          forcePathStyle: flag,
          existingSecret: text,
        }),
        filesystem: closed({ existingClaim: text }),
      }),
      egress: closed({ allow: { type: 'array', items: network }, proxy: url }),
      traces: closed({ endpoint: url, existingSecret: text, ratio: { type: 'number', minimum: 0, maximum: 1 } }),
      extraCa: closed({ existingConfigMap: text, key: text }),
      serviceAccount: closed({ create: flag, name: text, annotations: label }),
      api: apiSchema(own.api),
      worker: workerSchema(own.worker),
      migrations: closed({ enabled: flag, resources: anyObject }),
      networkPolicy: closed({
        enabled: flag,
        ingressFrom: anyObjects,
        metricsFrom: anyObjects,
        postgres: peers,
        redis: closed({ to: anyObjects, port, sentinelPort: port }),
        bucket: peers,
        collector: peers,
        smtp: peers,
        carrierCidrs: { type: 'array', items: network },
        internetPorts: { type: 'array', items: port, minItems: 1 },
        internalCidrs: { type: 'array', items: network },
      }),
      metrics: closed({
        serviceMonitor: flag,
        podMonitor: flag,
        prometheusRule: flag,
        labels: label,
        interval: { type: 'string', pattern: '^\\d+(s|m)$' },
      }),
      dashboards: closed({ enabled: flag, label: text, annotations: label }),
    }),
  };
}

function apiSchema(ownNames: ReadonlySet<string>): Schema {
  return closed({
    replicas: whole(1),
    autoscaling: closed({
      enabled: flag,
      minReplicas: whole(1),
      maxReplicas: whole(1),
      targetCPUUtilizationPercentage: whole(1, 100),
    }),
    shutdownDelaySeconds: whole(0, 300),
    publicUrl: url,
    trustedProxies: { type: 'array', items: proxy },
    mail: closed({ existingSecret: text, from: text }),
    settings: settingsSchema(apiEnv, ownNames),
    service: closed({ type: oneOf('ClusterIP', 'NodePort', 'LoadBalancer'), port, annotations: label }),
    ingress: closed({ enabled: flag, className: text, host: text, tlsSecret: text, annotations: label }),
    httpRoute: closed({ enabled: flag, host: text, parentRefs: anyObjects, annotations: label }),
    ...placement,
  });
}

function workerSchema(ownNames: ReadonlySet<string>): Schema {
  return closed({
    replicas: whole(1),
    concurrency: whole(1, 20_000),
    carrier: oneOf('simulated', 'sip'),
    network: oneOf('pod', 'host'),
    sip: closed({
      port,
      rtpPorts: { type: 'string', pattern: '^\\d{1,5}-\\d{1,5}$' },
      publicAddress: { type: 'string', pattern: '^(\\d{1,3}(\\.\\d{1,3}){3})?$' },
      tls: closed({ existingSecret: text, port }),
    }),
    drainSeconds: whole(0, 7_200),
    uploadSeconds: whole(0, 3_600),
    recordingsSizeLimit: quantity,
    settings: settingsSchema(workerEnv, ownNames),
    keda: closed({
      enabled: flag,
      prometheusAddress: url,
      selector: text,
      minReplicas: whole(1),
      maxReplicas: optionalWhole(1),
      trunkChannels: optionalWhole(1),
      fallbackReplicas: optionalWhole(1),
      authenticationRef: text,
    }),
    ...placement,
  });
}
