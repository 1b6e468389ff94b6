import { apiDocument, apiEnv } from '@outdial/api/documentation';
import { parseEnv, type EnvSpec } from '@outdial/kernel';
import { HEALTH_PATHS, workerEnv } from '@outdial/worker/documentation';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readOwnNames } from '../tools/own-names.ts';
import { containerOf, type Container } from './fields.ts';
import { helmMissing, render } from './helm.ts';

const FILES = ['default', 'host-network', 'keda', 'ingress', 'external-secrets'] as const;
/** What the Node process and the Amazon SDK read themselves. */
const OTHERS = ['NODE_EXTRA_CA_CERTS', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const PROCESSES = [
  ['api', apiEnv],
  ['worker', workerEnv],
] as const satisfies readonly (readonly ['api' | 'worker', EnvSpec])[];

describe.skipIf(helmMissing !== undefined)(
  `the environment of the pods${helmMissing ? ` (skipped: ${helmMissing})` : ''}`,
  () => {
    let containers: Readonly<Record<'api' | 'worker', readonly Container[]>> = { api: [], worker: [] };

    beforeAll(async () => {
      const renders = await Promise.all(FILES.map((file) => render(['default', file], allSettings(file))));
      containers = {
        api: renders.map((objects) => containerOf(objects, '-api')),
        worker: renders.map((objects) => containerOf(objects, '-worker')),
      };
    });

    test.each(PROCESSES)(
      '%s gets every variable that the chart can set, and none that it does not read',
      (process, spec) => {
        const set = new Set(containers[process].flatMap(({ env }) => env.map(({ name }) => name)));
        for (const other of OTHERS) set.delete(other);
        const settable = Object.keys(spec).filter((name) => settingOf(spec, name)?.chart !== false);
        expect([...set].toSorted()).toEqual(settable.toSorted());
      },
    );

    test.each(PROCESSES)('%s gets no variable twice, and starts with the values that it gets', (process, spec) => {
      for (const { env } of containers[process]) {
        expect(new Set(env.map(({ name }) => name)).size).toBe(env.length);
        const given = Object.fromEntries(
          env.map(({ name, value, valueFrom }) => [
            name,
            value ?? sampleOf(name, valueFrom?.secretKeyRef !== undefined),
          ]),
        );
        expect(() => parseEnv(spec, given)).not.toThrow();
      }
    });

    test.each(['api', 'worker'] as const)('%s takes every secret from a secret', (process) => {
      for (const { env } of containers[process]) {
        const secrets = env.filter(({ name }) =>
          /^(?:DATABASE|REDIS|OUTDIAL_SMTP)_URL$|_OTLP_HEADERS$|_(?:PEPPER|KEY|KEY_ID)$/.test(name),
        );
        const plain = secrets.filter(({ name, value }) => value !== undefined && name !== 'SIP_TLS_KEY');
        expect(plain).toEqual([]);
        expect(secrets.length).toBeGreaterThanOrEqual(3);
      }
    });

    test('probes ask what the processes answer, at ports that they have', () => {
      for (const container of [...containers.api, ...containers.worker]) {
        const probes = [container.startupProbe, container.readinessProbe, container.livenessProbe];
        const names = container.ports.map(({ name }) => name);
        for (const probe of probes) expect(names).toContain(probe?.httpGet.port);
        const paths = probes.map((probe) => probe?.httpGet.path ?? '');
        expect(paths.filter((path) => !isServed(container.name, path))).toEqual([]);
      }
      expect(isServed('api', '/readyz?stores=all')).toBe(false);
    });
  },
);

/** Sets every setting by name to a value that the process accepts. Once: the names do not depend on the file. */
function allSettings(file: (typeof FILES)[number]): readonly string[] {
  if (file !== 'default') return [];
  return PROCESSES.map(([process, spec]) => {
    const names = Object.keys(spec).filter((name) => !own[process].has(name) && settingOf(spec, name)?.chart !== false);
    return `${process}.settings=${JSON.stringify(Object.fromEntries(names.map((name) => [name, acceptedBy(spec, name)])))}`;
  });
}
const own = await readOwnNames();

const settingOf = (spec: EnvSpec, name: string) => spec[name];

function acceptedBy(spec: EnvSpec, name: string): string | number | boolean {
  const accepts = (text: string) => spec[name]?.schema.safeParse(text).success === true;
  if (accepts('true') && !accepts('x')) return true;
  if (accepts('14') && !accepts('0.5')) return 14;
  const words = ['0', 'USD', 'open', 'calls', 'always_on', 'name=value', 'off'].filter(accepts);
  if (words[0] === undefined) throw new Error(`no sample for ${name}`);
  return words[0];
}

function sampleOf(name: string, isSecret: boolean): string {
  if (!isSecret) return '10.244.1.7';
  if (name === 'DATABASE_URL') return 'postgresql://outdial@db:5432/outdial';
  if (name === 'OTEL_EXPORTER_OTLP_HEADERS') return 'authorization=Bearer%20x';
  if (name === 'REDIS_URL') return 'redis://redis:6379/0';
  return name === 'OUTDIAL_SMTP_URL' ? 'smtp://mail.example.com:587' : 'a'.repeat(64);
}

const apiPaths = z.object({ paths: z.record(z.string(), z.unknown()) }).parse(apiDocument).paths;
/** Of the paths that probes may ask. */
const pathSchema = z.object({
  get: z.object({
    parameters: z
      .array(z.object({ name: z.string(), schema: z.object({ enum: z.array(z.string()).optional() }) }))
      .default([]),
  }),
});

function isServed(process: string, target: string): boolean {
  const [path = '', query = ''] = target.split('?');
  if (process === 'worker') return query === '' && Object.values<string>(HEALTH_PATHS).includes(path);
  if (apiPaths[path] === undefined) return false;
  const { get: operation } = pathSchema.parse(apiPaths[path]);
  return [...new URLSearchParams(query)].every(([name, value]) =>
    operation.parameters.some((parameter) => parameter.name === name && parameter.schema.enum?.includes(value)),
  );
}
