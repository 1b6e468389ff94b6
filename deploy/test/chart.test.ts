import { readFile } from 'node:fs/promises';
import { SYSTEM_GAUGES } from '@outdial/metrics';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { containerOf, objectOf, podsOf, workloadOf } from './fields.ts';
import { chartDir, helm, helmMissing, render, valuesFile, type KubernetesObject } from './helm.ts';
import { faultsOf } from './validate.ts';

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
const FILES = ['default', 'host-network', 'keda', 'ingress', 'external-secrets'] as const;
type File = (typeof FILES)[number];

describe.skipIf(helmMissing !== undefined)(
  `the chart, rendered${helmMissing ? ` (skipped: ${helmMissing})` : ''}`,
  () => {
    const renders = new Map<File, readonly KubernetesObject[]>();
    const rendered = (file: File) => renders.get(file) ?? [];

    beforeAll(async () => {
      await Promise.all(FILES.map(async (file) => renders.set(file, await render(['default', file]))));
    });

    test('helm finds nothing to complain about', async () => {
      expect(await helm(['lint', chartDir, '--strict', '--values', valuesFile('default')])).toMatch(
        '0 chart(s) failed',
      );
    });

    test.each(FILES)('%s renders what it rendered before', async (file) => {
      const text = rendered(file).map((object) => stringify(withoutCopies(object), { aliasDuplicateObjects: false }));
      expect(text.length).toBeGreaterThan(5);
      await expect(text.join('---\n')).toMatchFileSnapshot(`./golden/${file}.yaml`);
    });

    test.each(FILES)('every object of %s has the fields of its kind, and no other', (file) => {
      expect(rendered(file).flatMap(faultsOf)).toEqual([]);
    });

    test('a misspelled field of an object is found, at any depth', () => {
      const deployment = objectOf(rendered('default'), 'Deployment', '-api');
      const workload = workloadOf(deployment);
      const { template } = workload;
      const misspelled = { ...template, spec: { ...template.spec, hostNetwerk: true } };
      const object = {
        ...deployment,
        spec: { ...workload, replicaz: 2, template: misspelled },
      };
      expect(faultsOf(object).map((fault) => fault.replace(/.*: /, ''))).toEqual([
        'unknown field .spec.template.spec.hostNetwerk',
        'unknown field .spec.replicaz',
      ]);
    });

    test.each(FILES)('%s lets a worker drain and upload before it is killed', (file) => {
      const { env } = containerOf(rendered(file), '-worker');
      const secondsOf = (name: string) => Number(env.find((variable) => variable.name === name)?.value);
      const { template } = workloadOf(objectOf(rendered(file), 'Deployment', '-worker'));
      const needed = secondsOf('OUTDIAL_DRAIN_SECONDS') + secondsOf('OUTDIAL_UPLOAD_SECONDS') + 15;
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(needed);
      // The process may take its whole delay before it begins to close.
      const api = workloadOf(objectOf(rendered(file), 'Deployment', '-api')).template.spec;
      expect(api.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(5 + 15);
    });

    test.each(FILES)('the pods of %s have no right that they do not use', (file) => {
      const pods = podsOf(rendered(file));
      expect(pods.length).toBe(3);
      for (const { spec } of pods) {
        expect(spec.automountServiceAccountToken).toBe(false);
        expect(spec.securityContext).toMatchObject({
          runAsNonRoot: true,
          runAsUser: 1000,
          seccompProfile: { type: 'RuntimeDefault' },
        });
        for (const { securityContext } of spec.containers)
          expect(securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          });
      }
      expect(rendered(file).filter(({ kind }) => kind === 'Secret')).toEqual([]);
    });

    test.each(FILES)('every selector of %s finds pods or services', (file) => {
      const labels = [
        ...podsOf(rendered(file)).map(({ metadata }) => metadata.labels),
        ...rendered(file)
          .filter(({ kind }) => kind === 'Service')
          .map(({ metadata }) => metadata.labels),
      ];
      const selectors = rendered(file)
        .map(selectorOf)
        .filter((selector) => selector !== undefined);
      expect(selectors.length).toBeGreaterThanOrEqual(5);
      for (const selector of selectors) expect(labels).toContainEqual(expect.objectContaining(selector));
    });

    test('the alarms and dashboards arrive as they are', async () => {
      const objects = rendered('keda');
      expect(objectOf(objects, 'PrometheusRule').spec).toEqual(parse(await read('docs/alerts.yml')));
      const { data } = dataSchema.parse(objectOf(objects, 'ConfigMap', '-dashboards'));
      expect(Object.keys(data)).toHaveLength(4);
      for (const [name, text] of Object.entries(data))
        expect(text).toBe(await read(`deploy/grafana/${name.replace('outdial-', '')}`));
    });

    test('a single API has no budget that would keep its node from being drained', async () => {
      const single = ['api.autoscaling.enabled=false', 'api.replicas=1'];
      const objects = await render(['default'], single);
      const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget');
      expect(budgets.map(({ metadata }) => metadata.name)).toEqual(['outdial-worker']);
    });

    test('with the network of the host the ports of SIP keep two workers apart, and no second one starts beside a draining one', () => {
      const objects = rendered('host-network');
      const worker = workloadOf(objectOf(objects, 'Deployment', '-worker'));
      expect(worker).toMatchObject({
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '25%' } },
        template: { spec: { hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' } },
      });
      const hostPorts = containerOf(objects, '-worker').ports.flatMap(({ hostPort, protocol }) =>
        hostPort ? [`${hostPort} ${protocol}`] : [],
      );
      expect(hostPorts).toEqual(['5060 UDP', '5060 TCP', '5061 TCP']);
      expect(
        objects.filter(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name.endsWith('-worker')),
      ).toEqual([]);
    });

    test('the autoscaler of the workers asks for a metric that the product has', () => {
      const names = Object.values(SYSTEM_GAUGES).map(({ name }): string => name);
      const queries = JSON.stringify(objectOf(rendered('keda'), 'ScaledObject').spec).match(/outdial_\w+_calls/g);
      expect(queries).toEqual(['outdial_worker_demand_calls']);
      expect(names).toEqual(expect.arrayContaining(queries ?? []));
    });

    test('the autoscaler of the workers takes no answer for an outage, not for no calls', () => {
      const objects = rendered('keda');
      expect(workloadOf(objectOf(objects, 'Deployment', '-worker')).replicas).toBeUndefined();
      expect(objectOf(objects, 'ScaledObject')['spec']).toMatchObject({
        minReplicaCount: 2,
        // 1,000 channels, 150 calls each.
        maxReplicaCount: 7,
        fallback: { failureThreshold: 3, replicas: 6 },
        triggers: [
          {
            type: 'prometheus',
            metricType: 'AverageValue',
            metadata: {
              query: 'max(outdial_worker_demand_calls{namespace="outdial"})',
              threshold: '105',
              ignoreNullValues: 'false',
            },
          },
        ],
      });
    });
  },
);

const dataSchema = z.object({ data: z.record(z.string(), z.string()) });

/** Other tests compare these with their originals. */
function withoutCopies(object: KubernetesObject): object {
  if (object.kind === 'PrometheusRule') return { ...object, spec: 'docs/alerts.yml' };
  if (object.kind !== 'ConfigMap') return object;
  const names = Object.keys(dataSchema.parse(object).data);
  return { ...object, data: Object.fromEntries(names.map((name) => [name, 'deploy/grafana'])) };
}

const labelsSchema = z.record(z.string(), z.string());
const selectorSchema = z.object({ matchLabels: labelsSchema });

/** The labels that the object selects pods or services of this release by. */
function selectorOf({ kind, spec }: KubernetesObject): Readonly<Record<string, string>> | undefined {
  if (kind === 'Service') return z.object({ selector: labelsSchema }).parse(spec).selector;
  const { selector, podSelector } = z
    .object({ selector: selectorSchema.optional(), podSelector: selectorSchema.optional() })
    .parse(spec ?? {});
  return (selector ?? podSelector)?.matchLabels;
}
