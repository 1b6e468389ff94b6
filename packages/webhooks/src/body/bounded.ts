import type { CallWebhook } from './versions/2026-12-01.ts';

/** Receivers limit what they read; many at 256 KiB. */
export const MAX_BODY_BYTES = 256 * 1_024;

/** The text of a webhook. Above the bound, `data.omitted` names what was left out. */
export function writeBounded(webhook: CallWebhook): string {
  const whole = JSON.stringify(webhook);
  if (Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  const { event, call } = webhook.data;
  const data: CallWebhook['data'] = { event, call: { ...call, transcript: null }, omitted: ['call.transcript'] };
  return JSON.stringify({ ...webhook, data });
}
