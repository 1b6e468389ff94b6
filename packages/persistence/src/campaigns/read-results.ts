import type { AnsweredBy, CallId, CampaignId, E164, EndedReason } from '@outdial/contracts';
import type { Database } from '../database.ts';
import type { ContactCursor } from './read-campaigns.ts';

/** A contact and what came of it. */
export interface ResultRecord extends ContactCursor {
  readonly number: E164;
  readonly attempts: number;
  /** Of the last call. */
  readonly callId: CallId | null;
  readonly endedReason: EndedReason | null;
  readonly answeredBy: AnsweredBy | null;
  readonly startedAtMs: number | null;
  readonly answeredAtMs: number | null;
  readonly endedAtMs: number | null;
  /** Of all its calls. */
  readonly costMicros: bigint;
  readonly variables: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Names of what contacts have besides their numbers. */
export interface ContactFields {
  readonly variables: readonly string[];
  readonly metadata: readonly string[];
}

/** In the order in which they are called, by the key of the contacts. Of a campaign that the account has. */
export async function readResults(
  { side }: Pick<Database, 'side'>,
  campaignId: CampaignId,
  { after, limit }: { readonly after: ContactCursor | null; readonly limit: number },
): Promise<readonly ResultRecord[]> {
  const { upload, line } = after ?? { upload: 0, line: 0 };
  return side.$queryRaw<ResultRecord[]>`
    SELECT t.upload, t.line, '+' || t.number AS number, t.variables, t.metadata, COALESCE(s.attempts, 0) AS attempts,
      c.id AS "callId", c.ended_reason AS "endedReason", c.answered_by AS "answeredBy",
      epoch_ms(c.started_at) AS "startedAtMs", epoch_ms(c.answered_at) AS "answeredAtMs", epoch_ms(c.ended_at) AS "endedAtMs",
      COALESCE(s.cost_micros, 0)::bigint AS "costMicros"
    FROM (
      SELECT t.upload, t.line, t.number, t.variables, t.metadata FROM campaign_contacts t
        JOIN campaign_uploads u ON u.campaign_id = t.campaign_id AND u.number = t.upload AND u.state = 'ready'
      WHERE t.campaign_id = ${campaignId}::uuid AND (t.upload, t.line) > (${upload}::int, ${line}::int)
      ORDER BY t.upload, t.line LIMIT ${limit}::int
    ) t LEFT JOIN LATERAL (
      SELECT max(x.attempt) AS attempts, sum(k.cost_micros) AS cost_micros,
        (array_agg(x.call_id ORDER BY x.attempt DESC))[1] AS last_call
      FROM call_schedules x JOIN calls k ON k.id = x.call_id
      WHERE x.campaign_id = ${campaignId}::uuid AND x.contact_upload = t.upload AND x.contact_line = t.line
    ) s ON true LEFT JOIN calls c ON c.id = s.last_call
    ORDER BY t.upload, t.line`;
}

/** What the first contact of each upload has, of the first hundred uploads. */
export async function contactFieldsOf(
  { side }: Pick<Database, 'side'>,
  campaignId: CampaignId,
): Promise<ContactFields> {
  const [row] = await side.$queryRaw<ContactFields[]>`
    WITH firsts AS MATERIALIZED (
      SELECT t.variables, t.metadata FROM (
        SELECT u.number FROM campaign_uploads u WHERE u.campaign_id = ${campaignId}::uuid AND u.state = 'ready'
        ORDER BY u.number LIMIT 100
      ) u, LATERAL (
        SELECT t.variables, t.metadata FROM campaign_contacts t
        WHERE t.campaign_id = ${campaignId}::uuid AND t.upload = u.number ORDER BY t.line LIMIT 1
      ) t
    )
    SELECT ARRAY(SELECT DISTINCT json_object_keys(f.variables) FROM firsts f) AS variables,
      ARRAY(SELECT DISTINCT json_object_keys(f.metadata) FROM firsts f) AS metadata`;
  return row ?? { variables: [], metadata: [] };
}
