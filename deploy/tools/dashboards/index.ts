import { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from '@outdial/metrics';
import { dashboardOf, type Row } from './dashboard.ts';
import { panelOf, statOf, type Metric, type Panel, type Scope } from './panels.ts';

const catalogue: readonly { readonly metric: Metric; readonly scope: Scope }[] = [
  ...Object.values(EVENT_METRICS).map((metric) => ({ metric, scope: 'process' as const })),
  ...Object.values(PROCESS_GAUGES).map((metric) => ({ metric, scope: 'process' as const })),
  ...Object.values(SYSTEM_GAUGES).map((metric) => ({ metric, scope: 'system' as const })),
];

/**
 * Where a metric is shown: in the first section whose pattern its name matches. Patterns, so that a new metric of a known
 * kind has a panel. The last section takes the rest.
 */
const SECTIONS = [
  { dashboard: 'voice', title: 'Answers', pattern: /_(?:turn_latency|answer_delay|breakers)/ },
  { dashboard: 'voice', title: 'Trunks', pattern: /_(?:trunk|sip)_/ },
  { dashboard: 'voice', title: 'Recordings', pattern: /_recording/ },
  { dashboard: 'stores', title: 'Outages', pattern: /_(?:store|reading)_/ },
  { dashboard: 'stores', title: 'Gate', pattern: /_(?:gate|slots|funds)_/ },
  { dashboard: 'stores', title: 'Repairs', pattern: /_(?:reconcile|settle|lease|leases|orphaned|missed)_/ },
  { dashboard: 'calls', title: 'Accepting', pattern: /_(?:accept|api|policy)_/ },
  { dashboard: 'calls', title: 'Queue and workers', pattern: /_(?:queue|queued|worker|dialling|open)_/ },
  {
    dashboard: 'calls',
    title: 'Later, again, and many',
    pattern: /_(?:admissions|schedule|scheduled|campaigns|stock)/,
  },
  { dashboard: 'calls', title: 'After a call', pattern: /_(?:analyses|analysis|webhook|email)/ },
  { dashboard: 'calls', title: 'Calls', pattern: /./ },
] as const;

const sectionOf = ({ name }: Metric) => SECTIONS.find(({ pattern }) => pattern.test(name));

function rowsOf(dashboard: (typeof SECTIONS)[number]['dashboard']): readonly Row[] {
  return SECTIONS.filter((section) => section.dashboard === dashboard).map((section) => ({
    title: section.title,
    panels: catalogue
      .filter(({ metric }) => sectionOf(metric) === section)
      .map(({ metric, scope }): Panel => panelOf(metric, scope)),
  }));
}

/** What an operator looks at first. */
const overview: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      statOf(SYSTEM_GAUGES.gateOpen, 'system'),
      statOf(PROCESS_GAUGES.storeAway, 'system'),
      statOf(SYSTEM_GAUGES.oldestQueued, 'system'),
      statOf(SYSTEM_GAUGES.slotsInUse, 'system'),
      statOf(SYSTEM_GAUGES.diallingPaused, 'system'),
      statOf(SYSTEM_GAUGES.gateDrift, 'system'),
    ],
  },
  {
    title: 'Calls',
    panels: [
      panelOf(SYSTEM_GAUGES.openCalls, 'system'),
      panelOf(EVENT_METRICS.ended, 'process'),
      panelOf(PROCESS_GAUGES.liveCalls, 'process'),
      panelOf(EVENT_METRICS.accepting, 'process'),
      panelOf(EVENT_METRICS.queueWait, 'process'),
      panelOf(EVENT_METRICS.turnLatency, 'process'),
      panelOf(EVENT_METRICS.refusals, 'process'),
      panelOf(SYSTEM_GAUGES.trunkChannelsInUse, 'system'),
      panelOf(EVENT_METRICS.recordings, 'process'),
    ],
  },
];

/** By the name of its file. */
export const dashboards: Readonly<Record<string, object>> = {
  overview: dashboardOf('overview', 'overview', overview),
  calls: dashboardOf('calls', 'calls', rowsOf('calls')),
  stores: dashboardOf('stores', 'stores', rowsOf('stores')),
  voice: dashboardOf('voice', 'voice', rowsOf('voice')),
};
