import { describe, expect, test } from 'vitest';
import { helmMissing, render, RenderError } from './helm.ts';

/** Values on top of the default ones, and what the render says. Pairs of `path=JSON`. */
const COMBINATIONS: readonly (readonly [name: string, sets: readonly string[], says: string])[] = [
  ['no image', ['image.repository=""'], 'image.repository is empty'],
  ['no Postgres', ['externalPostgres.existingSecret=""'], 'externalPostgres.existingSecret is empty'],
  ['no Redis', ['externalRedis.existingSecret=""'], 'externalRedis.existingSecret is empty'],
  ['no pepper', ['secrets.existingSecret=""'], 'The chart never generates them'],
  [
    'a folder for two workers',
    ['recordings.storage="filesystem"'],
    'filesystem and up to 2 workers run: set recordings.storage to s3',
  ],
  [
    'a folder for many workers',
    ['recordings.storage="filesystem"', 'worker.replicas=1', ...keda({ trunkChannels: 500 })],
    'up to 3 workers',
  ],
  [
    'a folder without a claim',
    ['recordings.storage="filesystem"', 'worker.replicas=1'],
    'existingClaim is empty: name a ReadWriteMany claim',
  ],
  ['no bucket', ['recordings.s3.bucket=""'], 'recordings.s3.bucket is empty'],
  ['an Ingress of no host', ['api.ingress.enabled=true'], 'api.ingress.host is empty'],
  [
    'an Ingress without trusted proxies',
    ['api.ingress.enabled=true', 'api.ingress.host="a.example"'],
    'api.trustedProxies is empty',
  ],
  ['a route of no host', ['api.httpRoute.enabled=true'], 'api.httpRoute.host is empty'],
  [
    'a route of no Gateway',
    ['api.httpRoute.enabled=true', 'api.httpRoute.host="a.example"'],
    'api.httpRoute.parentRefs is empty',
  ],
  ['an Ingress and a route', ['api.ingress.enabled=true', 'api.httpRoute.enabled=true'], 'choose one'],
  ['e-mail without a sender', ['api.mail.existingSecret="mail"'], 'api.mail needs both'],
  [
    'an autoscaler without a request',
    ['api.resources={"requests":{"cpu":null}}'],
    'api.resources.requests.cpu is not set',
  ],
  ['fewer APIs at most than at least', ['api.autoscaling.minReplicas=11'], 'minReplicas is larger'],
  ['a host network for no carrier', ['worker.network="host"'], 'Set worker.carrier to sip'],
  [
    'too few ports for media',
    ['worker.carrier="sip"', 'worker.sip.rtpPorts="20000-20199"'],
    'has room for 100 calls and worker.concurrency is 200',
  ],
  [
    'one address for two workers',
    ['worker.carrier="sip"', 'worker.sip.publicAddress="203.0.113.7"'],
    'one address leads to one worker',
  ],
  ['KEDA without Prometheus', keda({ prometheusAddress: '' }), 'worker.keda.prometheusAddress is empty'],
  ['KEDA without a most', keda({ trunkChannels: null }), 'worker.keda.trunkChannels is not set'],
  ['KEDA without a fallback', keda({ fallbackReplicas: null }), 'worker.keda.fallbackReplicas is not set'],
  ['KEDA with a fallback above its most', keda({ fallbackReplicas: 4 }), 'must be at most 3'],
  ['policies that let no client in', ['networkPolicy.enabled=true'], 'networkPolicy.ingressFrom is empty'],
  [
    'policies without stores',
    ['networkPolicy.enabled=true', 'networkPolicy.ingressFrom=[{"podSelector":{}}]'],
    'must list the peers of the stores',
  ],
  [
    'policies without carriers',
    [
      'networkPolicy={"enabled":true,"ingressFrom":[{}],"postgres":{"to":[{}]},"redis":{"to":[{}]}}',
      'worker.carrier="sip"',
    ],
    'networkPolicy.carrierCidrs is empty',
  ],
  ['a misspelled value', ['worker.concurency=100'], "additional properties 'concurency' not allowed"],
  ['a free grace period', ['worker.terminationGracePeriodSeconds=30'], 'not allowed'],
  [
    'a misspelled setting',
    ['api.settings.OUTDIAL_SIGNUP="open"'],
    "additional properties 'OUTDIAL_SIGNUP' not allowed",
  ],
  [
    'a secret in plain sight',
    ['api.settings.OUTDIAL_KEY_PEPPER="00"'],
    "additional properties 'OUTDIAL_KEY_PEPPER' not allowed",
  ],
  ['a setting of a wrong type', ['worker.settings.OUTDIAL_WEBHOOK_CONCURRENCY="many"'], 'want integer'],
];

describe.skipIf(helmMissing !== undefined)(
  `values that lose something${helmMissing ? ` (skipped: ${helmMissing})` : ''}`,
  () => {
    test.concurrent.each(COMBINATIONS)('%s: the render fails and says so', async (_, sets, says) => {
      const failure: unknown = await render(['default'], sets).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(RenderError);
      expect(String(failure)).toContain(says);
    });
  },
);

/** 500 channels make three workers of 200 calls. */
function keda(changed: Readonly<Record<string, string | number | null>>): readonly string[] {
  const values = {
    enabled: true,
    prometheusAddress: 'http://prometheus:9090',
    trunkChannels: 500,
    fallbackReplicas: 2,
    ...changed,
  };
  return [`worker.keda=${JSON.stringify(values)}`];
}
