import { readFile } from 'node:fs/promises';
import { dashboards } from './dashboards/index.ts';
import { readOwnNames } from './own-names.ts';
import { valuesSchema } from './values-schema.ts';

const CHART = 'helm/outdial/';

/** Every file below `deploy` that follows from others of the repository, by its path. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const alerts = await readFile(new URL('../../docs/alerts.yml', import.meta.url), 'utf8');
  const files = new Map([
    [`${CHART}files/alerts.yml`, alerts],
    [`${CHART}values.schema.json`, json(valuesSchema(await readOwnNames()))],
  ]);
  for (const [name, dashboard] of Object.entries(dashboards)) {
    files.set(`grafana/${name}.json`, json(dashboard));
    // Helm packages no file from outside of the chart.
    files.set(`${CHART}files/dashboards/${name}.json`, json(dashboard));
  }
  return files;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
