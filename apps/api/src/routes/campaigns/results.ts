import { micros, microsToDecimal, type CampaignState } from '@outdial/contracts';
import type { ContactFields, ResultRecord } from '@outdial/persistence';
import { OVER_CAMPAIGNS, timestampOrNull } from '@outdial/presentation';
import { csvReply } from '../../http/csv-pages.ts';
import type { CsvCell } from '../../http/csv.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import { campaignOf } from './handlers.ts';
import { getResultsContract } from './upload-contracts.ts';
import type { UploadRouteDeps } from './uploads.ts';

const PAGE = 500;

/** Each contact in a line: what came of it, then its variables and its metadata. */
export function getResultsRoute(deps: UploadRouteDeps): AccountRoute {
  return defineRoute(getResultsContract, async (request) => {
    const { campaign_id: id } = request.params;
    const { campaigns, uploads } = ownAccountOf(deps, request.principal);
    const { state, columns } = await campaignOf(campaigns, id);
    const known = await uploads.contactFields(id);
    const fields: ContactFields = {
      variables: together(Object.keys(columns.variables ?? {}), known.variables),
      metadata: together(Object.keys(columns.metadata ?? {}), known.metadata),
    };
    return csvReply<ResultRecord>(deps, request, {
      fileName: 'results.csv',
      columns: [
        ...RESULT_COLUMNS,
        ...fields.variables.map((name) => (RESULT_NAMES.has(name) ? `variables.${name}` : name)),
        ...fields.metadata.map((name) => `metadata.${name}`),
      ],
      pageSize: PAGE,
      read: (after) => uploads.results(id, { after, limit: PAGE }),
      cellsOf: (record) => [
        ...cellsOf(record, state),
        ...fields.variables.map((name) => textOf(record.variables, name)),
        ...fields.metadata.map((name) => textOf(record.metadata, name)),
      ],
    });
  });
}

const RESULT_COLUMNS = [
  'upload',
  'line',
  'to_number',
  'attempts',
  'outcome',
  'answered_by',
  'talk_seconds',
  'cost',
  'call_id',
  'started_at',
  'answered_at',
  'ended_at',
] as const;
/** A variable of such a name is told apart by its column. */
const RESULT_NAMES: ReadonlySet<string> = new Set(RESULT_COLUMNS);

function cellsOf(record: ResultRecord, state: CampaignState): readonly CsvCell[] {
  const { answeredAtMs, endedAtMs, callId } = record;
  const talkMs = answeredAtMs === null || endedAtMs === null ? null : endedAtMs - answeredAtMs;
  return [
    record.upload,
    record.line,
    record.number,
    record.attempts,
    record.endedReason ?? (callId === null && OVER_CAMPAIGNS.has(state) ? 'not_dialled' : null),
    record.answeredBy,
    talkMs === null ? null : Math.floor(talkMs / 1_000),
    callId === null ? null : microsToDecimal(micros(record.costMicros)),
    callId,
    timestampOrNull(record.startedAtMs),
    timestampOrNull(answeredAtMs),
    timestampOrNull(endedAtMs),
  ];
}

/** In an order that does not depend on the file. */
function together(mapped: readonly string[], known: readonly string[]): readonly string[] {
  return [...new Set([...mapped, ...known])].toSorted();
}

/** JSON for what is no text. */
function textOf(values: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(values, name) ? values[name] : null;
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
