import type { OperatedTrunkBody } from '@outdial/contracts';
import type { TrunkRecord, TrunkTestRecord } from '@outdial/persistence';
import { timestamp } from '@outdial/presentation';

interface TrunkFacts {
  readonly trunk: TrunkRecord;
  /** Its live calls. */
  readonly inUse: number;
  readonly test: TrunkTestRecord | undefined;
}

export function presentOperatedTrunk({ trunk, inUse, test }: TrunkFacts): OperatedTrunkBody {
  return {
    name: trunk.name,
    uri: trunk.uri,
    transport: trunk.transport,
    outbound_proxy: trunk.outboundProxy,
    channels: trunk.channels,
    calls_per_second: trunk.callsPerSecond,
    caller_prefixes: [...trunk.callerId.prefixes],
    asserts_caller: trunk.callerId.asserted,
    number_format: trunk.numberFormat,
    codecs: [...trunk.codecs],
    priority: trunk.priority,
    weight: trunk.weight,
    health_check: trunk.healthCheck,
    media_source: trunk.mediaSource,
    transfers: trunk.transfers,
    enabled: trunk.enabled,
    username: trunk.username,
    in_use: inUse,
    created_at: timestamp(trunk.createdAtMs),
    conditions: trunk.health.map(({ workerId, state, detail, reportedAtMs }) => ({
      worker_id: workerId,
      state,
      detail,
      reported_at: timestamp(reportedAtMs),
    })),
    test: test === undefined ? null : presentTest(test),
  };
}

function presentTest({ requestedAtMs, results }: TrunkTestRecord): OperatedTrunkBody['test'] {
  return {
    requested_at: timestamp(requestedAtMs),
    results: results.map(({ workerId, state, detail, tookMs }) => ({
      worker_id: workerId,
      state,
      detail,
      took_ms: tookMs,
    })),
  };
}
