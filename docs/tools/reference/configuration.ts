import { apiEnv } from '@outdial/api/documentation';
import { startEnv } from '@outdial/cli/documentation';
import type { EnvSpec } from '@outdial/kernel';
import { workerEnv } from '@outdial/worker/documentation';
import { code, prose, table } from './table.ts';

const READERS = { api: apiEnv, worker: workerEnv, 'npm start': startEnv } as const satisfies Record<string, EnvSpec>;

export function configurationPage(): string {
  const sections = Object.entries(READERS).flatMap(([reader, spec]) => [
    `## ${reader}`,
    table(['Variable', 'Default', 'Meaning'], rowsOf(spec)),
  ]);
  return [
    '# Configuration',
    'Outdial reads its settings from environment variables. A process does not start with a value that it cannot use: it prints one sentence that names the variable, the value and what is allowed. It never prints a secret or a URL. An empty variable counts as unset.',
    "Account limits, prices, numbers, agents and trunks are data, not settings: see [operating](../guides/operating.md). `npm run admin` and `npm start` work without `DATABASE_URL` and `REDIS_URL`: they use this machine's local instance.",
    ...sections,
    '## Other variables',
    table(
      ['Variable', 'Read by', 'Meaning'],
      [
        [code('NO_COLOR') + ', ' + code('FORCE_COLOR'), 'npm start, admin', 'Turn color off or on.'],
        [
          code('NODE_EXTRA_CA_CERTS'),
          'worker',
          'PEM file of a private authority that signed the certificate of a carrier.',
        ],
        [
          code('AWS_ACCESS_KEY_ID') + ', ' + code('AWS_SECRET_ACCESS_KEY'),
          'api, worker',
          'Credentials of the bucket; a profile or the role of the machine works as well.',
        ],
        [
          code('TEST_REDIS_URL') + ', ' + code('TEST_DATABASE_URL'),
          'npm test',
          'Stores for the tests instead of their own.',
        ],
        [code('TEST_BROWSER'), 'npm test', 'The Chromium or Chrome that tests the dashboard.'],
      ],
    ),
  ].join('\n\n');
}

function rowsOf(spec: EnvSpec): string[][] {
  return Object.entries(spec).map(([name, { schema, description }]) => {
    const fallback = schema.safeParse(undefined);
    return [code(name), fallback.success ? shown(fallback.data) : 'required', prose(description)];
  });
}

function shown(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'bigint') return code(String(value));
  if (Array.isArray(value)) return value.length === 0 ? code('none') : code(value.join(','));
  if (typeof value === 'object' && value !== null) return code(Object.values(value).join('-'));
  return code(typeof value === 'string' ? value : JSON.stringify(value));
}
