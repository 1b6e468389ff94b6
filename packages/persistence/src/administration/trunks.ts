import type { TrunkName } from '@outdial/contracts';
import { constraintOf } from '../sql-state.ts';
import { auditPart, type AdministrationContext } from './audit.ts';
import { refusal } from './refusal.ts';
import {
  auditedOf,
  columnsOf,
  type NewTrunkCredentials,
  type TrunkChanges,
  type TrunkSettings,
} from './trunk-changes.ts';
import { found, toRecord, TRUNK_COLUMNS, trunkNotFound, type TrunkRecord, type TrunkRow } from './trunk-record.ts';

export interface TrunkAdministration {
  /** Adds an enabled trunk. */
  add(
    input: TrunkSettings & { readonly name: TrunkName; readonly credentials: NewTrunkCredentials | null },
  ): Promise<TrunkRecord>;
  /** Sorted by priority, then by name. */
  list(): Promise<readonly TrunkRecord[]>;
  show(name: TrunkName): Promise<TrunkRecord>;
  /** Active calls keep their settings. Omitted fields stay unchanged. */
  update(name: TrunkName, changes: TrunkChanges): Promise<TrunkRecord>;
  /** A disabled trunk gets no new calls; active ones go on. */
  setEnabled(name: TrunkName, enabled: boolean): Promise<TrunkRecord>;
  /** Active calls go on, but a worker that takes one over has no password to end it with: disable the trunk first. */
  remove(name: TrunkName): Promise<void>;
}

export function administerTrunks(context: AdministrationContext): TrunkAdministration {
  const { side } = context.database;

  async function show(name: TrunkName): Promise<TrunkRecord> {
    const rows = await side.$queryRaw<TrunkRow[]>`SELECT ${TRUNK_COLUMNS} FROM trunks t WHERE t.name = ${name}`;
    return found(name, rows);
  }

  return {
    add: (input) => add(context, input),
    async list() {
      const rows = await side.$queryRaw<TrunkRow[]>`
        SELECT ${TRUNK_COLUMNS} FROM trunks t ORDER BY t.priority, t.name`;
      return rows.map(toRecord);
    },
    show,
    update: (name, changes) => update(context, name, changes),
    async setEnabled(name, enabled) {
      const action = enabled ? 'trunk.enable' : 'trunk.disable';
      await side.$executeRaw`
        WITH changed AS (
          UPDATE trunks SET enabled = ${enabled} WHERE name = ${name} AND enabled <> ${enabled} RETURNING name
        ), ${auditPart(context.actor, { action, subjectId: name, data: {} })}
        SELECT count(*) FROM changed`;
      return show(name);
    },
    async remove(name) {
      const [row] = await side.$queryRaw<{ count: number }[]>`
        WITH changed AS (DELETE FROM trunks WHERE name = ${name} RETURNING name),
        ${auditPart(context.actor, { action: 'trunk.remove', subjectId: name, data: {} })}
        SELECT count(*)::int AS count FROM changed`;
      if (row?.count !== 1) throw trunkNotFound(name);
    },
  };
}

async function add(
  { database: { side }, actor }: AdministrationContext,
  input: Parameters<TrunkAdministration['add']>[0],
): Promise<TrunkRecord> {
  const { name, credentials, callerId, ...settings } = input;
  const { uri, transport, outboundProxy, channels, callsPerSecond, numberFormat, codecs, priority, weight } = settings;
  const { healthCheck, mediaSource = 'sdp_host', transfers = 'none' } = settings;
  const { username, sealedPassword } = columnsOf(name, credentials);
  const data = auditedOf({ ...settings, callerId, credentials });
  try {
    const rows = await side.$queryRaw<TrunkRow[]>`
      WITH changed AS (
        INSERT INTO trunks AS t (name, uri, transport, outbound_proxy, username, sealed_password, channels,
          calls_per_second, caller_prefixes, asserts_caller, number_format, codecs, priority, weight,
          health_check, media_source, transfers)
        VALUES (${name}, ${uri}, ${transport}, ${outboundProxy}, ${username}, ${sealedPassword}::bytea, ${channels},
          ${callsPerSecond}, ${callerId.prefixes}::text[], ${callerId.asserted}, ${numberFormat}, ${codecs}::text[],
          ${priority}, ${weight}, ${healthCheck}, ${mediaSource}, ${transfers})
        RETURNING ${TRUNK_COLUMNS}
      ), ${auditPart(actor, { action: 'trunk.add', subjectId: name, data })}
      SELECT * FROM changed`;
    return found(name, rows);
  } catch (error) {
    if (constraintOf(error) !== 'trunks_pkey') throw error;
    throw refusal(
      'trunk_exists',
      'name',
      `A trunk named ${name} already exists. Update it, or choose another name.`,
      error,
    );
  }
}

/** Maps `undefined`, which SQL does not have, to null. */
const given = <Value>(value: Value | undefined): Value | null => value ?? null;

async function update(
  { database: { side }, actor }: AdministrationContext,
  name: TrunkName,
  changes: TrunkChanges,
): Promise<TrunkRecord> {
  const { credentials, outboundProxy, callerId } = changes;
  const { username, sealedPassword } = columnsOf(name, credentials ?? null);
  const rows = await side.$queryRaw<TrunkRow[]>`
    WITH changed AS (
      UPDATE trunks t SET
        uri = COALESCE(${given(changes.uri)}, t.uri),
        transport = COALESCE(${given(changes.transport)}, t.transport),
        outbound_proxy = CASE WHEN ${outboundProxy === undefined} THEN t.outbound_proxy ELSE ${given(outboundProxy)} END,
        username = CASE WHEN ${credentials === undefined} THEN t.username ELSE ${username} END,
        sealed_password = CASE WHEN ${credentials === undefined} THEN t.sealed_password
                               ELSE ${sealedPassword}::bytea END,
        channels = COALESCE(${given(changes.channels)}::int, t.channels),
        calls_per_second = COALESCE(${given(changes.callsPerSecond)}::int, t.calls_per_second),
        caller_prefixes = COALESCE(${given(callerId?.prefixes)}::text[], t.caller_prefixes),
        asserts_caller = COALESCE(${given(callerId?.asserted)}::boolean, t.asserts_caller),
        number_format = COALESCE(${given(changes.numberFormat)}, t.number_format),
        codecs = COALESCE(${given(changes.codecs)}::text[], t.codecs),
        priority = COALESCE(${given(changes.priority)}::int, t.priority),
        weight = COALESCE(${given(changes.weight)}::int, t.weight),
        health_check = COALESCE(${given(changes.healthCheck)}, t.health_check),
        media_source = COALESCE(${given(changes.mediaSource)}, t.media_source),
        transfers = COALESCE(${given(changes.transfers)}, t.transfers)
      WHERE t.name = ${name} RETURNING ${TRUNK_COLUMNS}
    ), ${auditPart(actor, { action: 'trunk.update', subjectId: name, data: auditedOf(changes) })}
    SELECT * FROM changed`;
  return found(name, rows);
}
