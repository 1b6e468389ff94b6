import type { Model } from '@kubernetes-models/base';
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1';
import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1';
import { HTTPRoute } from '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import {
  PodMonitor,
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { KubernetesObject } from './helm.ts';

type ModelClass = (new (data?: never) => Model<object>) & { readonly apiVersion: string; readonly kind: string };

const MODELS: readonly ModelClass[] = [
  Cluster,
  ConfigMap,
  Deployment,
  ExternalSecret,
  HorizontalPodAutoscaler,
  HTTPRoute,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  PodMonitor,
  PrometheusRule,
  ScaledObject,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
];

/** What is wrong with an object by the schema of its kind: values of a wrong type, and fields that the kind does not have. */
export function faultsOf(object: KubernetesObject): readonly string[] {
  const where = `${object.kind} ${object.metadata.name}`;
  const Kind = MODELS.find(({ apiVersion, kind }) => apiVersion === object.apiVersion && kind === object.kind);
  if (Kind === undefined) return [`${where}: no schema of ${object.apiVersion}`];
  const model = new Kind();
  Object.assign(model, object);
  const read = new Set<string>();
  const faults: string[] = [];
  try {
    recording(model, '', read).validate();
  } catch (error) {
    faults.push(`${where}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const unknown = pathsOf(object, '').filter((path) => !read.has(path));
  return [...faults, ...unknown.map((path) => `${where}: unknown field ${path}`)];
}

/**
 * A compiled schema reads every field that it knows, and no other: the schemas accept unknown fields, and a server drops
 * them with a warning.
 */
function recording<Value extends object>(value: Value, path: string, read: Set<string>): Value {
  return new Proxy(value, {
    get(target, key, receiver) {
      const field: unknown = Reflect.get(target, key, receiver);
      if (typeof key === 'symbol') return field;
      const at = `${path}.${key}`;
      read.add(at);
      return typeof field === 'object' && field !== null ? recording(field, at, read) : field;
    },
  });
}

function pathsOf(value: object, path: string): readonly string[] {
  return Object.entries(value).flatMap(([key, field]: [string, unknown]) => {
    const at = `${path}.${key}`;
    return typeof field === 'object' && field !== null ? [at, ...pathsOf(field, at)] : [at];
  });
}
