import { z } from 'zod';
import type { KubernetesObject } from './helm.ts';

/** The fields of rendered objects that tests judge. */
const probeSchema = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) });
const envSchema = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.looseObject({ secretKeyRef: z.object({ name: z.string(), key: z.string() }).optional() }).optional(),
});
const containerSchema = z.looseObject({
  name: z.string(),
  ports: z
    .array(
      z.object({ name: z.string(), containerPort: z.number(), hostPort: z.number().optional(), protocol: z.string() }),
    )
    .default([]),
  env: z.array(envSchema).default([]),
  startupProbe: probeSchema.optional(),
  readinessProbe: probeSchema.optional(),
  livenessProbe: probeSchema.optional(),
  securityContext: z.unknown(),
});
const podSchema = z.object({
  metadata: z.looseObject({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    terminationGracePeriodSeconds: z.number().optional(),
    automountServiceAccountToken: z.boolean().optional(),
    hostNetwork: z.boolean().optional(),
    securityContext: z.unknown(),
    containers: z.array(containerSchema),
  }),
});
const workloadSchema = z.looseObject({ spec: z.looseObject({ template: podSchema, replicas: z.number().optional() }) });

export type Pod = z.output<typeof podSchema>;
export type Container = z.output<typeof containerSchema>;

/** @throws Error if there is none, or more than one. */
export function objectOf(objects: readonly KubernetesObject[], kind: string, suffix = ''): KubernetesObject {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name.endsWith(suffix));
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) throw new Error(`${found.length} of ${kind} …${suffix}`);
  return only;
}

export function workloadOf(object: KubernetesObject) {
  return workloadSchema.parse(object).spec;
}

export function podsOf(objects: readonly KubernetesObject[]): readonly Pod[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((object) => workloadOf(object).template);
}

/** The only container of a Deployment. */
export function containerOf(objects: readonly KubernetesObject[], suffix: string): Container {
  const [container] = workloadOf(objectOf(objects, 'Deployment', suffix)).template.spec.containers;
  if (container === undefined) throw new Error(`${suffix} has no container`);
  return container;
}
