import type { CallId, CallStatus, CampaignId, CampaignState } from '@outdial/contracts';
import type { Client } from 'pg';
import type { RetryView } from './postgres-view.ts';

export interface ContactView {
  readonly upload: number;
  readonly line: number;
}

export interface UploadView {
  readonly number: number;
  readonly state: 'receiving' | 'ready' | 'failed';
  readonly accepted: number;
}

/** What was counted of calls that ended for one reason, or what is to be. */
export interface CountView {
  readonly reason: string;
  readonly isFinal: boolean;
  readonly calls: number;
  readonly answered: number;
  readonly cost: number;
}

/** A call of a campaign. */
export interface CampaignCallView extends ContactView {
  readonly id: CallId;
  readonly status: CallStatus;
  readonly reservation: string | null;
  readonly hold: number;
  readonly cost: number;
  readonly reason: string | null;
  readonly attempt: number;
  /** Calls to the contact before it that were returned. */
  readonly givenBack: number;
  readonly isWaiting: boolean;
  readonly token: string | null;
  readonly admittingUntilMs: number | null;
  readonly forMs: number;
  readonly dueMs: number;
  readonly giveUpMs: number;
  readonly answered: boolean;
  readonly endedMs: number | null;
  readonly endRequested: boolean;
  readonly retry: RetryView | null;
}

/** Amounts and times as JSON numbers. */
export interface CampaignView {
  readonly id: CampaignId;
  readonly account: string;
  readonly state: CampaignState;
  readonly startsMs: number | null;
  readonly endsMs: number | null;
  readonly callsPerSecond: number | null;
  readonly maxConcurrent: number | null;
  readonly budget: number | null;
  readonly maxAttempts: number;
  /** Its own hours are closed: the only hours that a campaign of the model ever has. */
  readonly isClosed: boolean;
  readonly cursor: ContactView;
  readonly passed: number;
  readonly heldBy: string | null;
  /** Of the slots of its account. */
  readonly slots: number;
  readonly uploads: readonly UploadView[];
  readonly contacts: readonly ContactView[];
  readonly calls: readonly CampaignCallView[];
  readonly counts: readonly CountView[];
}

const STATEMENT = {
  name: 'campaign-view',
  text: `
    SELECT COALESCE(json_agg(json_build_object(
      'id', g.id, 'account', g.account_id, 'state', g.state, 'startsMs', epoch_ms(g.starts_at), 'endsMs', epoch_ms(g.ends_at),
      'callsPerSecond', g.calls_per_second, 'maxConcurrent', g.max_concurrent, 'budget', g.budget_micros,
      'maxAttempts', COALESCE((g.retry->>'max_attempts')::int, 1), 'isClosed', g.window IS NOT NULL, 'passed', n.passed, 'heldBy', n.held_by,
      'cursor', json_build_object('upload', n.cursor_upload, 'line', n.cursor_line),
      'slots', GREATEST(1, a.capacity * a.campaign_percent / 100),
      'uploads', (SELECT COALESCE(json_agg(json_build_object('number', u.number, 'state', u.state, 'accepted', u.accepted)
        ORDER BY u.number), '[]') FROM campaign_uploads u WHERE u.campaign_id = g.id),
      'contacts', (SELECT COALESCE(json_agg(json_build_object('upload', t.upload, 'line', t.line) ORDER BY t.upload, t.line), '[]')
        FROM campaign_contacts t WHERE t.campaign_id = g.id),
      'calls', (SELECT COALESCE(json_agg(json_build_object(
        'id', c.id, 'status', c.status, 'reservation', c.reservation_id, 'hold', c.hold_micros, 'cost', c.cost_micros,
        'reason', c.ended_reason, 'upload', s.contact_upload, 'line', s.contact_line, 'attempt', s.attempt,
        'givenBack', s.given_back, 'isWaiting', s.is_waiting, 'token', s.admit_token, 'admittingUntilMs', epoch_ms(s.admitting_until),
        'forMs', epoch_ms(s.scheduled_for), 'dueMs', epoch_ms(s.due_at), 'giveUpMs', epoch_ms(s.give_up_at),
        'answered', c.answered_at IS NOT NULL, 'endedMs', epoch_ms(c.ended_at),
        'endRequested', c.end_requested_at IS NOT NULL, 'retry', s.retry)
        ORDER BY s.contact_upload, s.contact_line, s.attempt, c.id), '[]')
        FROM call_schedules s JOIN calls c ON c.id = s.call_id WHERE s.campaign_id = g.id),
      'counts', (SELECT COALESCE(json_agg(k ORDER BY k.reason, k."isFinal"), '[]') FROM (
        SELECT x.reason::text, x.is_final AS "isFinal", sum(x.calls)::int AS calls, sum(x.answered)::int AS answered,
          sum(x.cost_micros)::int AS cost FROM campaign_counts x WHERE x.campaign_id = g.id GROUP BY 1, 2) k)
      ) ORDER BY g.id), '[]') AS view
    FROM campaigns g JOIN campaign_lanes n ON n.campaign_id = g.id JOIN accounts a ON a.id = g.account_id`,
};

/** Read without the product's own code. */
export async function viewCampaigns(client: Client): Promise<readonly CampaignView[]> {
  const { rows } = await client.query<{ view: readonly CampaignView[] }>(STATEMENT);
  const view = rows[0]?.view;
  if (!view) throw new Error('the view has one row');
  return view;
}

export function isOver(state: CampaignState): boolean {
  return state === 'cancelling' || state === 'cancelled' || state === 'completed';
}

/** It calls contacts. */
export function isCalling({ state, endsMs }: CampaignView, nowMs: number): boolean {
  return state === 'running' && (endsMs ?? Infinity) > nowMs;
}

/** Its calls may be dialed. */
export function mayDial(campaign: CampaignView, nowMs: number): boolean {
  return isCalling(campaign, nowMs) && !campaign.isClosed;
}

/** It holds a slot. */
export function isOpen({ status, reservation }: CampaignCallView): boolean {
  return status !== 'ended' && reservation !== null;
}

/** How many of its calls are open, or may be so any moment. */
export function inUse({ calls }: CampaignView, nowMs: number): number {
  return calls.filter((call) => isOpen(call) || isAdmitting(call, nowMs)).length;
}

/** A turn took it, and may still admit it. */
function isAdmitting({ isWaiting, token, admittingUntilMs }: CampaignCallView, nowMs: number): boolean {
  return isWaiting && token !== null && (admittingUntilMs ?? 0) > nowMs;
}

export function comesAfter(contact: ContactView, { upload, line }: ContactView): boolean {
  return contact.upload > upload || (contact.upload === upload && contact.line > line);
}

/** Contacts that the campaign is to call, or has called: those of uploads that are ready. */
export function acceptedContacts({ contacts, uploads }: CampaignView): readonly ContactView[] {
  const ready = new Set(uploads.filter(({ state }) => state === 'ready').map(({ number }) => number));
  return contacts.filter(({ upload }) => ready.has(upload));
}

/** Contacts without a call yet. */
export function contactsLeft(campaign: CampaignView): readonly ContactView[] {
  return acceptedContacts(campaign).filter((contact) => comesAfter(contact, campaign.cursor));
}

export function contactName({ upload, line }: ContactView): string {
  return `${upload}.${line}`;
}
