import type {
  FunctionCall,
  LiveServerContent,
  LiveServerMessage,
  MediaModality,
  ModalityTokenCount,
  TurnCompleteReason,
  UsageMetadata,
} from '@google/genai';

/** Enumerations are words on the wire. */
type TokenCount = Omit<ModalityTokenCount, 'modality'> & { readonly modality: `${MediaModality}` };

export type LiveUsage = Omit<
  UsageMetadata,
  'promptTokensDetails' | 'cacheTokensDetails' | 'responseTokensDetails' | 'trafficType' | 'serviceTier'
> & { readonly promptTokensDetails: TokenCount[]; readonly responseTokensDetails: TokenCount[] };

/** A message of the Live API, by the types of Google's own SDK. */
export interface ServerMessage extends Pick<
  LiveServerMessage,
  'setupComplete' | 'toolCallCancellation' | 'goAway' | 'sessionResumptionUpdate'
> {
  serverContent?: Omit<LiveServerContent, 'turnCompleteReason'> & { turnCompleteReason?: `${TurnCompleteReason}` };
  toolCall?: { functionCalls: FunctionCall[] };
  usageMetadata?: LiveUsage;
}
