import { readFile } from 'node:fs/promises';
import { ENDED_REASONS, ERROR_CODES } from '@outdial/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordingsEnv, retentionEnv } from '@outdial/recordings';
import type { EnvSpec } from '@outdial/kernel';
import { metricsHostEnv } from '@outdial/metrics';
import { parse } from 'yaml';
import { z } from 'zod';
import { startEnv } from '../src/start/config.ts';

const readRoot = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');

interface Variable {
  readonly name: string;
  /** The default in the documentation; undefined when there is none. */
  readonly fallback: string | undefined;
}

/**
 * The variables that a service and its packages read, taken from their sources, since an app may not import another.
 */
async function variablesOf(app: 'api' | 'worker'): Promise<readonly Variable[]> {
  const files = app === 'api' ? ['config.ts', 'limits-env.ts', 'dashboard/env.ts'] : ['config.ts'];
  const sources = await Promise.all(files.map((file) => readRoot(`apps/${app}/src/${file}`)));
  const own = sources
    .join('\n')
    .split(/^ {2}(?=[A-Z][A-Z_]+: \{)/m)
    .slice(1)
    .map((text) => ({
      name: text.slice(0, text.indexOf(':')),
      fallback: /\.default\(([^)]*)\)/.exec(text)?.[1]?.replace(/['_]/g, ''),
    }));
  return [
    ...own,
    ...variablesIn(metricsHostEnv),
    ...variablesIn(recordingsEnv),
    ...variablesIn(app === 'worker' ? retentionEnv : {}),
  ];
}

function variablesIn(spec: EnvSpec): readonly Variable[] {
  return Object.entries(spec).map(([name, { schema }]) => {
    const fallback = schema.safeParse(undefined).data;
    return { name, fallback: typeof fallback === 'string' ? fallback : JSON.stringify(fallback) };
  });
}

/** Read by the SDK of the bucket. */
const READ_BY_THE_SDK = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

let readme: string;
beforeAll(async () => {
  readme = await readRoot('README.md');
});

/** The cells of every table row of the README whose first cell is code. */
const rows = () =>
  readme
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
const rowOf = (name: string) => rows().find(([first]) => first?.split(', ').includes(`\`${name}\``));

describe('the configuration table of the README', () => {
  test.each(['api', 'worker'] as const)('has every variable of the %s with its default', async (app) => {
    const variables = await variablesOf(app);
    expect(variables.length).toBeGreaterThan(5);
    for (const { name, fallback } of variables) {
      const [, shown, readers] = rowOf(name) ?? [];
      expect({ name, shown: shown === 'required' ? '' : shown }).toEqual({
        name,
        shown: fallback ? `\`${fallback}\`` : '',
      });
      expect(`${name}: ${readers}`).toMatch(new RegExp(`\\b(${app}|all)\\b`));
    }
  });

  test('has every variable of npm start', () => {
    for (const name of Object.keys(startEnv))
      expect({ name, row: rowOf(name) !== undefined }).toEqual({ name, row: true });
  });

  test('has no variable that is not read', async () => {
    const read = new Set([
      ...(await variablesOf('api')).map(({ name }) => name),
      ...(await variablesOf('worker')).map(({ name }) => name),
      ...Object.keys(startEnv),
      'NO_COLOR',
      'FORCE_COLOR',
      'TEST_REDIS_URL',
      'TEST_DATABASE_URL',
    ]);
    const named = rows().flatMap(([first]) =>
      [...(first ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1]),
    );
    expect(named.filter((name) => !read.has(name ?? ''))).toEqual([]);
  });
});

const yesNo = (value: boolean) => (value ? 'yes' : 'no');

test('the README describes every ended reason as the code does', () => {
  for (const [reason, facts] of Object.entries(ENDED_REASONS)) {
    expect(rowOf(reason)).toEqual([`\`${reason}\``, yesNo(facts.retryable), yesNo(facts.billable), facts.fault]);
  }
});

test('the README gives every error code the status that the API answers', async () => {
  const source = await readRoot('apps/api/src/http/error-response.ts');
  for (const code of ERROR_CODES) {
    const status = new RegExp(`^ {2}${code}: (\\d+),$`, 'm').exec(source)?.[1];
    expect(readme).toMatch(new RegExp(`^\\| ${status} +\\|.*\`${code}\``, 'm'));
  }
});

describe('the compose file', () => {
  const serviceSchema = z.looseObject({
    image: z.string(),
    command: z.union([z.string(), z.array(z.string())]).optional(),
    environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
    healthcheck: z.unknown().optional(),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).optional(),
  });
  const composeSchema = z.object({
    services: z.record(z.string(), serviceSchema),
    volumes: z.record(z.string(), z.unknown()),
  });
  const readCompose = async () => composeSchema.parse(parse(await readRoot('docker-compose.yml'), { merge: true }));

  test('starts the services in order, each with a health check', async () => {
    const { services } = await readCompose();
    expect(Object.keys(services).toSorted()).toEqual(['admin', 'api', 'migrate', 'postgres', 'redis', 'worker']);
    for (const name of ['postgres', 'redis', 'api', 'worker']) {
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
      const read = new Set([
        ...READ_BY_THE_SDK,
        ...(await variablesOf(app)).map(({ name }) => name),
        'OUTDIAL_KEY_PEPPER',
      ]);
      expect(Object.keys(services[app]?.environment ?? {}).filter((name) => !read.has(name))).toEqual([]);
    }
  });

  test('keeps Redis from losing data, and lets workers be scaled', async () => {
    const { services } = await readCompose();
    const command = [services['redis']?.command].flat().join(' ');
    expect(command).toContain('--maxmemory-policy noeviction --appendonly yes');
    // A fixed name or a published port would allow only one worker.
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
  });

  test('requires every secret that it needs, and the example has each', async () => {
    const [compose, example] = await Promise.all([readRoot('docker-compose.yml'), readRoot('.env.example')]);
    const required = new Set([...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map((match) => match[1]));
    expect(required).toEqual(new Set(['OUTDIAL_KEY_PEPPER', 'POSTGRES_PASSWORD', 'REDIS_PASSWORD']));
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
  });

  test('runs an image whose user is not root', async () => {
    expect(await readRoot('Dockerfile')).toMatch(/^USER node$/m);
  });
});
