import { z } from 'zod';

/** Ids are UUIDs. The brands prevent passing a call's id where an account's is expected. */
const uuid = () => z.guid('must be a UUID').toLowerCase();

export const callIdSchema = uuid().brand<'CallId'>();
export const accountIdSchema = uuid().brand<'AccountId'>();
export const agentIdSchema = uuid().brand<'AgentId'>();
export const apiKeyIdSchema = uuid().brand<'ApiKeyId'>();
export const phoneNumberIdSchema = uuid().brand<'PhoneNumberId'>();
/** A provider's key, of an account or of the operator. */
export const credentialIdSchema = uuid().brand<'CredentialId'>();
/** A conversation with an agent in text. */
export const tryIdSchema = uuid().brand<'TryId'>();
/** Conversations of an agent with simulated callees. */
export const evaluationIdSchema = uuid().brand<'EvaluationId'>();
/** One of these conversations. */
export const evaluationRunIdSchema = uuid().brand<'EvaluationRunId'>();
/** A request of an account's owner to the operators. */
export const requestIdSchema = uuid().brand<'RequestId'>();
/** Identifies one attempt to reserve, and fences every later write to the reservation. */
export const reservationIdSchema = uuid().brand<'ReservationId'>();

export const webhookEndpointIdSchema = uuid().brand<'WebhookEndpointId'>();
/** One event with its body. Receivers know it as `msg_<id>`. */
export const webhookMessageIdSchema = uuid().brand<'WebhookMessageId'>();
export const webhookReplayIdSchema = uuid().brand<'WebhookReplayId'>();
/** An entry of a do-not-call list. */
export const suppressionIdSchema = uuid().brand<'SuppressionId'>();
export const campaignIdSchema = uuid().brand<'CampaignId'>();

export type CallId = z.output<typeof callIdSchema>;
export type AccountId = z.output<typeof accountIdSchema>;
export type AgentId = z.output<typeof agentIdSchema>;
export type ApiKeyId = z.output<typeof apiKeyIdSchema>;
export type PhoneNumberId = z.output<typeof phoneNumberIdSchema>;
export type CredentialId = z.output<typeof credentialIdSchema>;
export type TryId = z.output<typeof tryIdSchema>;
export type EvaluationId = z.output<typeof evaluationIdSchema>;
export type EvaluationRunId = z.output<typeof evaluationRunIdSchema>;
export type RequestId = z.output<typeof requestIdSchema>;
export type ReservationId = z.output<typeof reservationIdSchema>;
export type WebhookEndpointId = z.output<typeof webhookEndpointIdSchema>;
export type WebhookMessageId = z.output<typeof webhookMessageIdSchema>;
export type SuppressionId = z.output<typeof suppressionIdSchema>;
export type CampaignId = z.output<typeof campaignIdSchema>;
export type WebhookReplayId = z.output<typeof webhookReplayIdSchema>;
