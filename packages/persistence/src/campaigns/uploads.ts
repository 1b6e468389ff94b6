import { CAMPAIGN_LIMITS, type AccountId, type CampaignId, type CampaignState } from '@outdial/contracts';
import type { Database } from '../database.ts';
import { storableJson } from '../sql/storable-json.ts';
import type { NewContact } from './add-contacts.ts';

export interface UploadContext {
  readonly database: Pick<Database, 'side' | 'bulk'>;
  readonly accountId: AccountId;
  /** Who sends it; the audit records it. */
  readonly actor: string;
  readonly onCampaignChanged?: (() => void) | undefined;
}

export interface UploadedContact extends NewContact {
  readonly line: number;
}

export interface UploadProblem {
  readonly line: number;
  readonly column: string;
  readonly value: string;
  readonly message: string;
}

export interface UploadBatch {
  readonly contacts: readonly UploadedContact[];
  readonly problems: readonly UploadProblem[];
  /** Lines that are no contact. */
  readonly invalid: number;
}

export type AddBatchOutcome = 'added' | UploadOver | 'too_many_contacts';

/** It was given up while the batch came, or failed; `lost`: a standby took over that does not have all of it. */
type UploadOver = 'over' | 'lost';

export type FinishUploadOutcome =
  | { readonly kind: 'ready' | UploadOver | 'invalid' }
  | { readonly kind: 'campaign_state'; readonly state: CampaignState };

/** An upload under way. Nothing of it is called before it is ready. */
export interface Upload {
  readonly number: number;
  /** At most 1,000 lines. May be repeated after a failure, with nothing between. */
  add(batch: UploadBatch): Promise<AddBatchOutcome>;
  /** `refuseInvalid`: it fails if one line is no contact. May be repeated. */
  finish(options: { readonly refuseInvalid: boolean }): Promise<FinishUploadOutcome>;
  /**
   * Does nothing to one that is over. Its contacts are removed later.
   *
   * @param error for the list of uploads
   * @param options.isUnanswered its sender gets no answer: the owners of the account get a notice
   */
  fail(error: string, options?: { readonly isUnanswered: boolean }): Promise<void>;
}

export type BeginUploadOutcome =
  | { readonly kind: 'begun'; readonly upload: Upload }
  /** What is left of a failed upload is to be removed first: see `removeSomeFailed`. */
  | { readonly kind: 'removing' }
  | { readonly kind: 'upload_in_progress' }
  | { readonly kind: 'campaign_state'; readonly state: CampaignState }
  | { readonly kind: 'not_found' };

interface BegunRow {
  readonly outcome: Exclude<BeginUploadOutcome['kind'], 'not_found'>;
  readonly state: CampaignState;
  readonly number: number;
}

/** One upload at a time: the cursor passes them in order. */
export async function beginUpload(
  context: UploadContext,
  campaignId: CampaignId,
  { fileName }: { readonly fileName: string | null },
): Promise<BeginUploadOutcome> {
  const { database, accountId } = context;
  const [row] = await database.side.$queryRaw<BegunRow[]>`
    SELECT outcome, state, number FROM begin_upload(${accountId}::uuid, ${campaignId}::uuid, ${fileName})`;
  if (!row) return { kind: 'not_found' };
  const { outcome: kind, state, number } = row;
  if (kind === 'begun') return { kind, upload: openUpload(context, campaignId, number) };
  return kind === 'campaign_state' ? { kind, state } : { kind };
}

function openUpload(context: UploadContext, campaignId: CampaignId, number: number): Upload {
  const { actor, onCampaignChanged } = context;
  const { side, bulk } = context.database;
  let rows = 0;
  let errors = 0;
  return {
    number,
    async add({ contacts, problems, invalid }) {
      const given = contacts.map(({ line, number: to, variables, metadata, timeZone }) => {
        return { line, number: to.slice(1), variables, metadata, time_zone: timeZone };
      });
      const kept = problems.slice(0, CAMPAIGN_LIMITS.uploadErrors - errors);
      const [row] = await bulk.query<{ readonly outcome: AddBatchOutcome }>(
        'SELECT add_upload_batch($1::uuid, $2::int, $3::int, $4::json, $5::json, $6::int, $7::int) AS outcome',
        [campaignId, number, rows, storableJson(given), storableJson(kept), invalid, CAMPAIGN_LIMITS.contacts],
      );
      rows += contacts.length + invalid;
      errors += kept.length;
      return row?.outcome ?? 'over';
    },
    async finish({ refuseInvalid }) {
      const [row] = await side.$queryRaw<{ outcome: FinishUploadOutcome['kind']; state: CampaignState }[]>`
        SELECT outcome, state FROM finish_upload(${campaignId}::uuid, ${number}::int, ${rows}::int, ${actor}, ${refuseInvalid})`;
      if (!row) return { kind: 'over' };
      if (row.outcome === 'ready') onCampaignChanged?.();
      return row.outcome === 'campaign_state' ? { kind: row.outcome, state: row.state } : { kind: row.outcome };
    },
    async fail(error, { isUnanswered } = { isUnanswered: false }) {
      await side.$queryRaw`
        SELECT true AS done FROM fail_upload(${campaignId}::uuid, ${number}::int, ${error}, ${isUnanswered})`;
    },
  };
}
