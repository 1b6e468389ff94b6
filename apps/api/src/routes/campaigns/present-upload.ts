import type { CampaignId, CampaignUploadBody } from '@outdial/contracts';
import type { OwnUploads, UploadRecord } from '@outdial/persistence';
import { timestamp, timestampOrNull } from '@outdial/presentation';
import { uploadNotFound } from './upload-refusals.ts';

/** An upload with its first errors. @throws ApiError `upload_not_found` */
export async function presentUpload(uploads: OwnUploads, campaignId: CampaignId, number: number, limit: number) {
  const record = await uploads.find(campaignId, number);
  if (record === null) throw uploadNotFound();
  const errors = await uploads.errors(campaignId, number, { after: null, limit });
  return { upload: { ...presentRecord(record), errors: [...errors] } };
}

export function presentRecord(record: UploadRecord): CampaignUploadBody {
  const { number, state, fileName, rows, accepted, duplicates, invalid, startedAtMs, endedAtMs, error } = record;
  return {
    number,
    state,
    file_name: fileName,
    rows,
    accepted,
    duplicates,
    invalid,
    started_at: timestamp(startedAtMs),
    ended_at: timestampOrNull(endedAtMs),
    error,
  };
}
