import type { AgentSettings } from '@outdial/contracts';
import type { Clock } from '@outdial/kernel';
import type { Leg } from '../ports/carrier.ts';
import type {
  Conversation,
  ConversationEvent,
  ConversationResult,
  Conversations,
  SecondMedia,
} from '../ports/conversation.ts';
import type { ClaimedCall } from '../ports/drive-store.ts';
import type { TransferFailure } from '../ports/voice-agent.ts';
import { conductedVariables } from './conducted-variables.ts';

export interface LegConversationDeps {
  readonly conversations: Conversations;
  readonly clock: Clock;
}

/** The conversation of a call on its leg. Before it is opened, nothing happens. */
export class LegConversation {
  readonly #deps: LegConversationDeps;
  readonly #call: ClaimedCall;
  #conversation: Conversation | undefined;
  #finishing: Promise<ConversationResult> | undefined;

  constructor(deps: LegConversationDeps, call: ClaimedCall) {
    this.#deps = deps;
    this.#call = call;
  }

  /** Throws if there is no agent for the call. */
  open(leg: Leg, settings: AgentSettings, listener: (event: ConversationEvent) => void): void {
    const { id: callId, conducted } = this.#call;
    const isScripted = settings.driver === 'scripted';
    this.#conversation = this.#deps.conversations.open({
      callId,
      leg,
      settings,
      variables: isScripted ? this.#call.variables : conductedVariables(this.#call, settings, this.#deps.clock),
      conducted: conducted && { ...this.#call, models: conducted.models },
    });
    this.#conversation.listen(listener);
  }

  answered(): void {
    this.#conversation?.answered();
  }

  setOnHold(isOnHold: boolean): void {
    this.#conversation?.setOnHold(isOnHold);
  }

  introduce(second: SecondMedia): void {
    this.#conversation?.introduce(second);
  }

  transferFailed(failure: TransferFailure): void {
    this.#conversation?.transferFailed(failure);
  }

  /** Undefined: there was no conversation. Idempotent. */
  finish(): Promise<ConversationResult> | undefined {
    this.#finishing ??= this.#conversation?.finish();
    return this.#finishing;
  }
}
