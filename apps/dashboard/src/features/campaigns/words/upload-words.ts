import type { CampaignUploadBody } from '@outdial/contracts';
import { formatCount } from '../../../shared/format/numbers.ts';
import { contactsWord } from './progress-words.ts';

type Counts = Pick<CampaignUploadBody, 'state' | 'rows' | 'accepted' | 'duplicates' | 'invalid'>;

/** What came of an upload, in sentences. */
export function uploadSentences({ state, rows, accepted, duplicates, invalid }: Counts): readonly string[] {
  if (state === 'receiving') return ['It is being received. Nothing of it is called before it is complete.'];
  if (state === 'failed') return ['Nothing of it was added.'];
  if (rows === 0) return ['It has no contacts.'];
  return [
    `${contactsWord(accepted)} added.`,
    ...(duplicates === 0
      ? []
      : [`${formatCount(duplicates)} ${duplicates === 1 ? 'was' : 'were'} there before, or twice.`]),
    ...(invalid === 0
      ? []
      : [`${invalid === 1 ? '1 line is' : `${formatCount(invalid)} lines are`} no contact, and left out.`]),
  ];
}

/** `contacts.csv`; what came as JSON has no file. */
export function uploadName({ number, file_name: file }: Pick<CampaignUploadBody, 'number' | 'file_name'>): string {
  return file ?? `Upload ${number}`;
}
