import type { TrunkRecord, TrunkReport } from '@outdial/persistence';
import { formatFacts, formatTable } from '../terminal/table.ts';
import { isoTime, shownTime, yesOrNo } from './columns.ts';
import type { Json, Report } from './report.ts';

export function trunkReport(trunk: TrunkRecord): Report {
  const text = formatFacts([
    ['Trunk', trunk.name],
    ['Address', `${trunk.uri} over ${trunk.transport}`],
    ['Outbound proxy', trunk.outboundProxy ?? '-'],
    ['Username', trunk.username ?? '-'],
    ['Channels', String(trunk.channels)],
    ['Calls per second', String(trunk.callsPerSecond)],
    ['Caller numbers', trunk.callerId.prefixes.map((prefix) => `+${prefix}…`).join(', ') || 'all'],
    ['Asserted identity', yesOrNo(trunk.callerId.asserted)],
    ['Number format', trunk.numberFormat],
    ['Codecs', trunk.codecs.join(', ')],
    ['Priority', String(trunk.priority)],
    ['Weight', String(trunk.weight)],
    ['Enabled', yesOrNo(trunk.enabled)],
    ['Health check', trunk.healthCheck],
    ['Media source', trunk.mediaSource],
    ['Transfers', trunk.transfers],
    ['Health', healthOf(trunk)],
    ...trunk.health.flatMap(ailingFacts),
    ['Added', shownTime(trunk.createdAtMs)],
  ]);
  return { json: { trunk: trunkJson(trunk) }, text };
}

/** One word if the workers agree, otherwise the number of workers behind each view. */
function healthOf({ enabled, health }: TrunkRecord): string {
  if (!enabled) return '-';
  const ailing = health.filter(({ state }) => state !== 'up');
  const [first] = ailing;
  if (health.length === 0) return 'unknown: no worker';
  if (first === undefined) return 'up';
  return ailing.length === health.length
    ? first.state
    : `${first.state} (${ailing.length} of ${health.length} workers)`;
}

function ailingFacts({ workerId, state, detail }: TrunkReport): readonly (readonly [string, string])[] {
  return state === 'up' ? [] : [[`  ${workerId}`, `${state}: ${detail ?? 'no detail'}`]];
}

export function trunkJson(trunk: TrunkRecord): Json {
  return {
    name: trunk.name,
    uri: trunk.uri,
    transport: trunk.transport,
    outbound_proxy: trunk.outboundProxy,
    username: trunk.username,
    channels: trunk.channels,
    calls_per_second: trunk.callsPerSecond,
    caller_prefixes: trunk.callerId.prefixes,
    assert_caller: trunk.callerId.asserted,
    number_format: trunk.numberFormat,
    codecs: trunk.codecs,
    priority: trunk.priority,
    weight: trunk.weight,
    enabled: trunk.enabled,
    health_check: trunk.healthCheck,
    media_source: trunk.mediaSource,
    transfers: trunk.transfers,
    health: trunk.health.map(({ workerId, state, detail, reportedAtMs }) => ({
      worker_id: workerId,
      state,
      detail,
      told_at: isoTime(reportedAtMs),
    })),
    created_at: isoTime(trunk.createdAtMs),
  };
}

export function trunkTable(trunks: readonly TrunkRecord[]): readonly string[] {
  return formatTable<TrunkRecord>(
    [
      { title: 'TRUNK', value: (trunk) => trunk.name },
      { title: 'ADDRESS', value: (trunk) => `${trunk.uri} over ${trunk.transport}` },
      { title: 'CHANNELS', value: (trunk) => String(trunk.channels) },
      { title: 'CALLS/S', value: (trunk) => String(trunk.callsPerSecond) },
      { title: 'PRIORITY', value: (trunk) => String(trunk.priority) },
      { title: 'WEIGHT', value: (trunk) => String(trunk.weight) },
      { title: 'ENABLED', value: (trunk) => yesOrNo(trunk.enabled) },
      { title: 'HEALTH', value: healthOf },
    ],
    trunks,
    'There are no trunks yet: add one with `trunks add`.',
  );
}
