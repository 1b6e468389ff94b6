import type { UploadProblem } from '@outdial/persistence';
import { csvReply, type CsvPagesDeps } from '../../http/csv-pages.ts';
import { defineRoute, type AccountRoute } from '../../http/define-route.ts';
import { ownAccountOf } from '../../http/own-account.ts';
import type { CampaignDeps } from './handlers.ts';
import { presentUpload } from './present-upload.ts';
import { getUploadContract, getUploadErrorsContract } from './upload-contracts.ts';
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
