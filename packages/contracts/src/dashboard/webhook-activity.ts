import { z } from 'zod';
import { callIdSchema } from '../ids.ts';
import { webhookDeliverySchema } from '../webhook-deliveries.ts';

const timestamp = z.iso.datetime({ precision: 3 });

/** Deliveries of one hour by what has become of them; those that were dropped are left out. */
const hourSchema = z.strictObject({
  /** When the hour begins, in UTC. */
  at: timestamp,
  delivered: z.int(),
  failed: z.int(),
  pending: z.int(),
  /** There are more: each count is a lower bound. */
  has_more: z.boolean(),
});
export type WebhookHourBody = z.output<typeof hourSchema>;

/** `GET …/webhook-activity`: the current hour and the 23 before it, oldest first, for each standing endpoint. */
export const webhookActivitySchema = z.strictObject({
  endpoints: z.array(z.strictObject({ endpoint_id: z.guid(), hours: z.array(hourSchema) })),
});
export type WebhookActivityBody = z.output<typeof webhookActivitySchema>;

/** `GET …/calls/{call_id}/webhook-deliveries`: in the order of the call's events, at most 200. */
export const callDeliveriesSchema = z.strictObject({
  deliveries: z.array(
    webhookDeliverySchema.extend({
      /** Null: the endpoint is deleted. */
      url: z.string().nullable(),
      /** Whether the account has the endpoint among its own. A URL that only this call names has none. */
      has_endpoint: z.boolean(),
    }),
  ),
});
export type CallDeliveryBody = z.output<typeof callDeliveriesSchema>['deliveries'][number];
export const callDeliveriesParamsSchema = z.object({ call_id: callIdSchema });
