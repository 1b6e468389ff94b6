import type { Panel } from './panels.ts';

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Grafana's grid has 24 columns. */
const WIDTHS = { timeseries: 8, stat: 4 } as const;
const HEIGHTS = { timeseries: 8, stat: 4 } as const;
const COLUMNS = 24;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The JSON model of a dashboard, as Grafana 10 and later import it. */
export function dashboardOf(uid: string, title: string, rows: readonly Row[]): object {
  return {
    uid: `outdial-${uid}`,
    title: `Outdial: ${title}`,
    tags: ['outdial'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    links: [{ type: 'dashboards', title: 'Outdial', tags: ['outdial'], asDropdown: true, keepTime: true }],
    templating: { list: [datasourceVariable(), namespaceVariable()] },
    panels: placed(rows),
  };
}

function datasourceVariable(): object {
  return { type: 'datasource', name: 'datasource', label: 'Prometheus', query: 'prometheus' };
}

/** Matches metrics without a namespace as well, which come from outside of Kubernetes. */
function namespaceVariable(): object {
  const query = 'label_values(outdial_store_away, namespace)';
  return {
    type: 'query',
    name: 'namespace',
    label: 'Namespace',
    datasource: DATASOURCE,
    definition: query,
    query: { query, refId: 'namespace' },
    refresh: 2,
    includeAll: true,
    allValue: '.*',
    current: { text: 'All', value: '$__all' },
  };
}

function placed(rows: readonly Row[]): readonly object[] {
  const panels: object[] = [];
  let y = 0;
  for (const { title, panels: inRow } of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
      panels: [],
    });
    y += 1;
    let x = 0;
    let height = 0;
    for (const panel of inRow) {
      const w = WIDTHS[panel.type];
      if (x + w > COLUMNS) {
        y += height;
        x = 0;
        height = 0;
      }
      panels.push(modelOf(panel, panels.length + 1, { x, y, w, h: HEIGHTS[panel.type] }));
      x += w;
      height = Math.max(height, HEIGHTS[panel.type]);
    }
    y += height;
  }
  return panels;
}

interface GridPosition {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

function modelOf({ type, title, description, unit, targets }: Panel, id: number, gridPos: GridPosition): object {
  return {
    id,
    type,
    title,
    description,
    gridPos,
    datasource: DATASOURCE,
    fieldConfig: { defaults: { unit }, overrides: [] },
    options:
      type === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] } } : { tooltip: { mode: 'multi', sort: 'desc' } },
    targets: targets.map((target) => ({ ...target, datasource: DATASOURCE })),
  };
}
