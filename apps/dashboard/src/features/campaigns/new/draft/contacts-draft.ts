import type { CampaignColumns } from '@outdial/contracts';
import { z } from 'zod';

/** Whom to call, as the form has it: where the contacts come from, and which column is what. */
export const contactsDraftSchema = z.object({
  from: z.enum(['file', 'paste']),
  pasted: z.string(),
  /** Empty: every number begins with a plus sign. */
  default_country: z.string(),
  /** Titles of columns. Empty: none. */
  to_number: z.string(),
  time_zone: z.string(),
  /** By the names of the variables. */
  variables: z.record(z.string(), z.string()).readonly(),
  /** By the names of the metadata fields. */
  metadata: z.record(z.string(), z.string()).readonly(),
});
export type ContactsDraft = Readonly<z.output<typeof contactsDraftSchema>>;

export const NO_CONTACTS: ContactsDraft = {
  from: 'file',
  pasted: '',
  default_country: '',
  to_number: '',
  time_zone: '',
  variables: {},
  metadata: {},
};

/** What the draft means, as a campaign has it. */
export function columnsOf({ to_number: number, time_zone: zone, variables, metadata }: ContactsDraft): CampaignColumns {
  const chosen = Object.entries(variables).filter(([, title]) => title !== '');
  return {
    ...(number !== '' && { to_number: number }),
    ...(zone !== '' && { time_zone: zone }),
    ...(chosen.length > 0 && { variables: Object.fromEntries(chosen) }),
    ...(Object.keys(metadata).length > 0 && { metadata: { ...metadata } }),
  };
}

/** The inverse. */
export function contactsDraftOf(columns: CampaignColumns, defaultCountry: string | null): ContactsDraft {
  return {
    ...NO_CONTACTS,
    default_country: defaultCountry ?? '',
    to_number: columns.to_number ?? '',
    time_zone: columns.time_zone ?? '',
    variables: columns.variables ?? {},
    metadata: columns.metadata ?? {},
  };
}

/** Names a metadata field after its column. */
const MAX_FIELD_NAME = 64;

/** The metadata of the columns that are chosen: those that had a name keep it. */
export function withMetadata(draft: ContactsDraft, titles: readonly string[]): ContactsDraft {
  const nameOf = (title: string) =>
    Object.entries(draft.metadata).find(([, column]) => column === title)?.[0] ?? title.slice(0, MAX_FIELD_NAME);
  return { ...draft, metadata: Object.fromEntries(titles.map((title) => [nameOf(title), title])) };
}
