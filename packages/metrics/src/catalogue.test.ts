import { systemClock } from '@outdial/kernel';
import { expect, test } from 'vitest';
import { createApiMetrics } from './api-metrics.ts';
import { EVENT_METRICS, PROCESS_GAUGES, SYSTEM_GAUGES } from './catalogue.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

const all = Object.values({ ...EVENT_METRICS, ...PROCESS_GAUGES, ...SYSTEM_GAUGES });

/** Dashboards and alarms of users depend on these: a change breaks them. */
test('names and labels do not change', () => {
  expect(all.map((metric) => `${metric.name}${'label' in metric ? `{${metric.label}}` : ''}`)).toMatchInlineSnapshot(`
    [
      "outdial_accept_duration_seconds{outcome}",
      "outdial_api_refusals_total{code}",
      "outdial_spans_dropped_total",
      "outdial_policy_refusals_total{reason}",
      "outdial_calls_ended_total{reason}",
      "outdial_calls_entered_total{status}",
      "outdial_queue_wait_seconds",
      "outdial_admissions_total{outcome}",
      "outdial_schedule_lateness_seconds",
      "outdial_missed_turns_total",
      "outdial_settle_retries_total",
      "outdial_lease_renewal_failures_total",
      "outdial_leases_lost_total{cause}",
      "outdial_reconcile_findings_total{kind}",
      "outdial_gate_rebuilds_total{outcome}",
      "outdial_recordings_total{status}",
      "outdial_opt_outs_total{evidence}",
      "outdial_recording_uploads_total{outcome}",
      "outdial_analyses_total{outcome}",
      "outdial_turn_latency_seconds{provider}",
      "outdial_answer_delay_seconds{use}",
      "outdial_webhook_attempts_total{outcome}",
      "outdial_webhook_first_attempt_seconds",
      "outdial_retention_deleted_total{kind}",
      "outdial_email_attempts_total{outcome}",
      "outdial_monitor_sound_total{outcome}",
      "outdial_monitor_messages_total{outcome}",
      "outdial_store_outages_total{store}",
      "outdial_store_away{store}",
      "outdial_worker_live_calls",
      "outdial_monitors",
      "outdial_worker_live_calls_limit",
      "outdial_sip_certificate_expires_at_seconds",
      "outdial_reading_success{reading}",
      "outdial_queue_jobs{state}",
      "outdial_worker_demand_calls",
      "outdial_open_calls{status}",
      "outdial_oldest_queued_call_seconds",
      "outdial_scheduled_calls{waiting_for}",
      "outdial_oldest_due_scheduled_call_seconds",
      "outdial_campaigns{state}",
      "outdial_stock_calls",
      "outdial_orphaned_calls",
      "outdial_oldest_pending_analysis_seconds",
      "outdial_dialling_paused",
      "outdial_retention_lag_seconds",
      "outdial_slots_in_use",
      "outdial_slots_limit",
      "outdial_funds_held_currency_units{currency}",
      "outdial_funds_limit_currency_units{currency}",
      "outdial_gate_open",
      "outdial_gate_drift{kind}",
      "outdial_breakers_open{use}",
      "outdial_webhook_pending",
      "outdial_webhook_oldest_due_seconds",
      "outdial_webhook_endpoints_disabled",
      "outdial_email_pending",
      "outdial_email_oldest_due_seconds",
      "outdial_trunk_up{trunk}",
      "outdial_trunk_channels{trunk}",
      "outdial_trunk_channels_in_use{trunk}",
    ]
  `);
});

test('names have the product’s prefix; counters end in _total, durations in _seconds', () => {
  for (const { name } of all) expect(name).toMatch(/^outdial_[a-z]+(_[a-z]+)*$/);
  for (const metric of Object.values(EVENT_METRICS)) {
    expect(metric.name).toMatch('buckets' in metric ? /_seconds$/ : /_total$/);
  }
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

test('buckets are in ascending order', () => {
  const buckets = all.flatMap((metric): (readonly number[])[] => ('buckets' in metric ? [metric.buckets] : []));
  expect(buckets.map((bounds) => bounds.toSorted((a, b) => a - b))).toEqual(buckets);
  expect(buckets.length).toBeGreaterThan(0);
});

test.each([
  ['the API', createApiMetrics],
  ['a worker', createWorkerMetrics],
] as const)(
  '%s exposes every counter from its start, at 0, so that the first event is an increase',
  async (_, create) => {
    const text = await create(systemClock).expose();
    const counters = text.split('\n').filter((line) => /^outdial_\w+_total/.test(line));
    expect(counters.length).toBeGreaterThan(0);
    expect(counters.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  },
);
