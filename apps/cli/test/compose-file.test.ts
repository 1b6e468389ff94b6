import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { egressEnv } from '@outdial/egress';
import { recordingsEnv, retentionEnv } from '@outdial/recordings';
import { parseEnv, redisEnv, type EnvSpec } from '@outdial/kernel';
import { metricsHostEnv } from '@outdial/metrics';
import { defaultPolicyEnv } from '@outdial/persistence';
import { traceSettingsOf, tracesEnv } from '@outdial/traces';
import { parse } from 'yaml';
import { z } from 'zod';

const readRoot = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** The variables that a service reads, from its source, because an app may not import another, and from its packages. */
async function variablesOf(app: 'api' | 'worker'): Promise<readonly string[]> {
  const files = app === 'api' ? ['config.ts', 'limits-env.ts', 'dashboard/env.ts'] : ['settings/config.ts'];
  const sources = await Promise.all(files.map((file) => readRoot(`apps/${app}/src/${file}`)));
  const own = sources
    .join('\n')
    .split(/^ {2}(?=[A-Z][A-Z_]+: \{)/m)
    .slice(1)
    .map((text) => text.slice(0, text.indexOf(':')));
  const shared: readonly EnvSpec[] = [
    egressEnv,
    metricsHostEnv,
    redisEnv,
    recordingsEnv,
    tracesEnv,
    app === 'worker' ? retentionEnv : defaultPolicyEnv,
  ];
  return [...own, ...shared.flatMap((spec) => Object.keys(spec))];
}

/** Read by the SDK of the bucket. */
const READ_BY_THE_SDK = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

describe('the compose file', () => {
  const serviceSchema = z.looseObject({
    image: z.string(),
    command: z.union([z.string(), z.array(z.string())]).optional(),
    environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    healthcheck: z.unknown().optional(),
    profiles: z.array(z.string()).optional(),
    networks: z.union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() }))]).optional(),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  });
  const composeSchema = z.object({
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.unknown()),
  });
  const readCompose = async () => composeSchema.parse(parse(await readRoot('docker-compose.yml'), { merge: true }));

  test('starts the services in order, each with a health check', async () => {
    const { services } = await readCompose();
    expect(Object.keys(services).toSorted()).toEqual([
      'admin',
      'api',
      'migrate',
      'ollama',
      'postgres',
      'redis',
      'speaches',
      'worker',
    ]);
    for (const name of ['postgres', 'redis', 'api', 'worker', 'speaches', 'ollama']) {
      expect({ name, checked: services[name]?.healthcheck !== undefined }).toEqual({ name, checked: true });
    }
    for (const name of ['api', 'worker', 'admin']) {
      expect(services[name]?.depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      });
    }
  });

  test('waits for the final Postgres: the image’s set-up server listens on a Unix socket only', async () => {
    const { services } = await readCompose();
    expect(services['postgres']?.healthcheck).toHaveProperty('test', expect.arrayContaining(['--host=127.0.0.1']));
  });

  test('sets only variables that the service reads', async () => {
    const { services } = await readCompose();
    for (const app of ['api', 'worker'] as const) {
      const read = new Set([...READ_BY_THE_SDK, ...(await variablesOf(app)), 'OUTDIAL_KEY_PEPPER']);
      expect(Object.keys(services[app]?.environment ?? {}).filter((name) => !read.has(name))).toEqual([]);
    }
  });

  test('passes on where traces go, to both services and with the same part of the calls', async () => {
    const { services } = await readCompose();
    const { OTEL_SERVICE_NAME: _ownName, ...passedOn } = tracesEnv;
    for (const name of Object.keys(passedOn))
      for (const app of ['api', 'worker'] as const)
        expect([app, name, services[app]?.environment?.[name]]).toEqual([app, name, `\${${name}:-}`]);
    // An empty value is none.
    expect(
      traceSettingsOf(parseEnv(tracesEnv, Object.fromEntries(Object.keys(passedOn).map((name) => [name, '']))), 'x'),
    ).toBeNull();
  });

  test('keeps Redis from losing data, and lets workers be scaled', async () => {
    const { services } = await readCompose();
    const command = [services['redis']?.command].flat().join(' ');
    expect(command).toContain('--maxmemory-policy noeviction --appendonly yes');
    // A fixed name or a published port would allow only one worker.
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
  });

  test('starts models only with their profile, and an address of theirs that is allowed leads to no store', async () => {
    const { services } = await readCompose();
    const example = await readRoot('.env.example');
    const allowed = /^#OUTDIAL_EGRESS_ALLOW=(.*)$/m.exec(example)?.[1]?.split(',');
    const addresses = ['speaches', 'ollama'].map((name) => {
      const service = services[name];
      expect(service?.profiles).toEqual(['local-ai']);
      expect(service?.image).toMatch(/:\d+\.\d+\.\d+/);
      const networks = service?.networks;
      return networks !== undefined && !Array.isArray(networks) ? networks['local-ai']?.ipv4_address : undefined;
    });
    expect(addresses).toEqual(allowed);
    for (const name of ['api', 'worker', 'admin']) expect(services[name]?.networks).toContain('local-ai');
    for (const name of ['postgres', 'redis', 'migrate']) expect(services[name]?.networks).toBeUndefined();
  });

  test('requires every secret that it needs, and the example has each', async () => {
    const [compose, example] = await Promise.all([readRoot('docker-compose.yml'), readRoot('.env.example')]);
    const required = new Set([...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]));
    expect(required).toEqual(new Set(['OUTDIAL_KEY_PEPPER', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']));
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  test('runs an image whose user is not root, named by number', async () => {
    expect(await readRoot('Dockerfile')).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  });
});
