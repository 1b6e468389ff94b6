import { parser } from '@prometheus-io/lezer-promql';
import { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from '@outdial/metrics';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const NAMES = ['overview', 'calls', 'stores', 'voice'] as const;
/** Those that Prometheus and Kubernetes add. */
const TARGET_LABELS = ['namespace', 'instance', 'job'];

interface Known {
  readonly name: string;
  readonly label?: string;
  readonly buckets?: readonly number[];
}
const catalogue: readonly Known[] = Object.values({ ...EVENT_METRICS, ...PROCESS_GAUGES, ...SYSTEM_GAUGES });

const dashboardSchema = z.object({
  uid: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
    }),
  ),
});
const dashboards = await Promise.all(
  NAMES.map(async (name) => {
    const text = await readFile(new URL(`../grafana/${name}.json`, import.meta.url), 'utf8');
    return [name, dashboardSchema.parse(JSON.parse(text))] as const;
  }),
);
const exprsOf = (panels: (typeof dashboards)[number][1]['panels']) =>
  panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

describe.each(dashboards)('the dashboard %s', (_, { panels }) => {
  test('asks for metrics, labels and buckets that the product has', () => {
    expect(exprsOf(panels).length).toBeGreaterThan(10);
    expect(exprsOf(panels).flatMap(faultsOf)).toEqual([]);
  });

  test('has each panel once, beside the others', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});

test('every metric of the catalogue has a panel', () => {
  const shown = new Set(
    dashboards.flatMap(([, { panels }]) => exprsOf(panels).flatMap((expr) => usesOf(expr).map(({ metric }) => metric))),
  );
  const hidden = catalogue.filter(({ name, buckets }) => !shown.has(buckets === undefined ? name : `${name}_bucket`));
  expect(hidden.map(({ name }) => name)).toEqual([]);
});

test.each([
  ['max(outdial_gone)', 'outdial_gone is no metric'],
  ['rate(outdial_queue_wait_seconds[5m])', 'outdial_queue_wait_seconds is no metric'],
  ['sum by (colour) (outdial_open_calls)', 'outdial_open_calls has no label colour'],
  ['outdial_open_calls{kind="x"}', 'outdial_open_calls has no label kind'],
  ['max(outdial_open_calls', 'no query'],
])('a wrong query is found: %s', (expr, fault) => {
  expect(faultsOf(expr)).toEqual([expect.stringContaining(fault)]);
});

interface Use {
  readonly metric: string;
  readonly labels: readonly string[];
}

function faultsOf(expr: string): readonly string[] {
  const uses = usesOf(expr);
  if (uses.length === 0) return [`no query: ${expr}`];
  return uses.flatMap(({ metric, labels }) => {
    const known = catalogue.find(({ name, buckets }) =>
      buckets === undefined ? name === metric : [`${name}_bucket`, `${name}_sum`, `${name}_count`].includes(metric),
    );
    if (known === undefined) return [`${metric} is no metric: ${expr}`];
    const own = [
      ...TARGET_LABELS,
      ...(known.label === undefined ? [] : [known.label]),
      ...(metric.endsWith('_bucket') ? ['le'] : []),
    ];
    return labels.filter((label) => !own.includes(label)).map((label) => `${metric} has no label ${label}: ${expr}`);
  });
}

/** The metrics of a query, each with the labels that it selects or groups by. Empty: Prometheus would not take the query. */
function usesOf(query: string): readonly Use[] {
  // Grafana replaces its variables before Prometheus reads the query.
  const expr = query.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'outdial');
  const metrics: string[] = [];
  const labels: string[] = [];
  let isBroken = false;
  parser.parse(expr).iterate({
    enter(node) {
      const text = expr.slice(node.from, node.to);
      if (node.type.isError) isBroken = true;
      const parent = node.node.parent?.name;
      if (node.name === 'Identifier' && parent === 'VectorSelector') metrics.push(text);
      if (node.name === 'LabelName') labels.push(text);
    },
  });
  return isBroken ? [] : metrics.map((metric) => ({ metric, labels }));
}
