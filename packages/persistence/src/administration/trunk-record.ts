import type { Trunk, TrunkState } from '@outdial/calls';
import type { TrunkName } from '@outdial/contracts';
import { Prisma } from '../generated/client.ts';
import { refusal } from './refusal.ts';

/** A worker's report on a trunk within the last minute. */
export interface TrunkReport {
  readonly workerId: string;
  readonly state: TrunkState;
  readonly detail: string | null;
  readonly reportedAtMs: number;
}

/** A trunk as it is shown, without its password. */
export interface TrunkRecord extends Omit<Trunk, 'credentials'> {
  readonly username: string | null;
  /** One report of each running worker. */
  readonly health: readonly TrunkReport[];
  readonly createdAtMs: number;
}

/** A trunk as a statement selects it. */
export interface TrunkRow extends Omit<TrunkRecord, 'callerId'> {
  readonly callerPrefixes: readonly string[];
  readonly assertsCaller: boolean;
}

/** Columns of a trunk `t`. */
export const TRUNK_COLUMNS = Prisma.sql`
  t.name, t.uri, t.transport, t.outbound_proxy AS "outboundProxy", t.username, t.channels,
  t.calls_per_second AS "callsPerSecond", t.caller_prefixes AS "callerPrefixes", t.asserts_caller AS "assertsCaller",
  t.number_format AS "numberFormat", t.codecs, t.priority, t.weight, t.enabled, t.health_check AS "healthCheck",
  t.media_source AS "mediaSource", t.transfers,
  epoch_ms(t.created_at) AS "createdAtMs",
  COALESCE((
    SELECT jsonb_agg(jsonb_build_object(
      'workerId', h.worker_id, 'state', h.state, 'detail', h.detail, 'reportedAtMs', epoch_ms(h.told_at)) ORDER BY h.worker_id)
    FROM trunk_health h WHERE h.trunk = t.name AND h.told_at > now() - interval '1 minute'), '[]') AS health`;

export function toRecord({ callerPrefixes, assertsCaller, ...row }: TrunkRow): TrunkRecord {
  return { ...row, callerId: { prefixes: callerPrefixes, asserted: assertsCaller } };
}

export function trunkNotFound(name: TrunkName) {
  return refusal('trunk_not_found', 'name', `There is no trunk ${name}. List the trunks to find its name.`);
}

export function found(name: TrunkName, [row]: readonly TrunkRow[]): TrunkRecord {
  if (!row) throw trunkNotFound(name);
  return toRecord(row);
}
