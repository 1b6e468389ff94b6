import { microsToDecimal, micros, type CampaignState } from '@outdial/contracts';
import type { ResultRecord, UploadProblem } from '@outdial/persistence';
import { OVER_CAMPAIGNS, timestampOrNull } from '@outdial/presentation';
import { csvReply, type CsvPagesDeps } from '../../http/csv-pages.ts';
import type { CsvCell } from '../../http/csv.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import { campaignOf, type CampaignDeps } from './handlers.ts';
import { presentUpload } from './present-upload.ts';
import { getResultsContract, getUploadContract, getUploadErrorsContract } from './upload-contracts.ts';
import { uploadNotFound } from './upload-refusals.ts';

export interface UploadRouteDeps extends CampaignDeps, CsvPagesDeps {}

const PAGE = 500;
const FIRST_ERRORS = 100;

export function getUploadRoute(deps: UploadRouteDeps): AccountRoute {
  return defineRoute(getUploadContract, async ({ principal, params: { campaign_id: id, upload } }) => {
    const { uploads } = ownAccountOf(deps, principal);
    return { status: 200, body: await presentUpload(uploads, id, upload, FIRST_ERRORS) };
  });
}

export function getUploadErrorsRoute(deps: UploadRouteDeps): AccountRoute {
  return defineRoute(getUploadErrorsContract, async (request) => {
    const { campaign_id: id, upload } = request.params;
    const { uploads } = ownAccountOf(deps, request.principal);
    if ((await uploads.find(id, upload)) === null) throw uploadNotFound();
    return csvReply<UploadProblem>(deps, request, {
      fileName: 'errors.csv',
      columns: ['line', 'column', 'value', 'message'],
      pageSize: PAGE,
      read: (after) => uploads.errors(id, upload, { after, limit: PAGE }),
      cellsOf: ({ line, column, value, message }) => [line, column, value, message],
    });
  });
}

export function getResultsRoute(deps: UploadRouteDeps): AccountRoute {
  return defineRoute(getResultsContract, async (request) => {
    const { campaign_id: id } = request.params;
    const { campaigns, uploads } = ownAccountOf(deps, request.principal);
    const { state, columns } = await campaignOf(campaigns, id);
    const variables = [
      ...new Set([...Object.keys(columns.variables ?? {}), ...(await uploads.variableNames(id))]),
    ].toSorted();
    return csvReply<ResultRecord>(deps, request, {
      fileName: 'results.csv',
      columns: [...RESULT_COLUMNS, ...variables],
      pageSize: PAGE,
      read: (after) => uploads.results(id, { after, limit: PAGE }),
      cellsOf: (record) => [...cellsOf(record, state), ...variables.map((name) => textOf(record.variables, name))],
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

const textOf = (variables: ResultRecord['variables'], name: string): string | null =>
  Object.hasOwn(variables, name) ? (variables[name] ?? null) : null;
