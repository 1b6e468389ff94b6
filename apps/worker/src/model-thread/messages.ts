import type { MessagePort } from 'node:worker_threads';
import type { GenerationLimit, ModelAtCredential, ModelOutcome, ProviderHangUp } from '@outdial/calls';
import type { AccountId, CallId, ConductedSettings, Provider } from '@outdial/contracts';

/** A model of one call, with its opened credential. It exists in the main thread and the model thread alone. */
export interface OpenedModel extends ModelAtCredential {
  readonly provider: Provider;
  readonly isFallback: boolean;
  /** The credential is the account's own: it leads to the internet alone. The operator's also leads to the allow list. */
  readonly isOwn: boolean;
  readonly apiKey: string;
  /** Where the provider's interface begins, with the path that it has below the address of the credential. */
  readonly baseUrl: string;
  /** Of voices. */
  readonly generations?: GenerationLimit;
}

/** What the mind of a call is made of. */
export interface CallToOpen {
  readonly callId: CallId;
  readonly accountId: AccountId;
  readonly settings: ConductedSettings;
  readonly variables: Readonly<Record<string, string>>;
  readonly models: readonly OpenedModel[];
  /** The account's secrets by name, for its tools. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** From the main thread to the model thread. */
export type ToModelHost =
  /** `onceAttached`: the agent may be gone, and nothing is opened for it then. */
  | { readonly kind: 'open'; readonly call: CallToOpen; readonly onceAttached: boolean }
  /** The call has no usable credentials, or its models are known to be down. */
  | { readonly kind: 'refuse'; readonly callId: CallId; readonly failure: string; readonly reason: ProviderHangUp }
  /** Whether a fallback has a line, to the question of this number. */
  | { readonly kind: 'line'; readonly nth: number; readonly isTaken: boolean }
  /** The call is over: what is left of it is closed. */
  | { readonly kind: 'forget'; readonly callId: CallId }
  /** A bridge to the thread of the agents. */
  | { readonly kind: 'bridge'; readonly port: MessagePort }
  | { readonly kind: 'ping'; readonly nth: number };

/** From the model thread to the main thread. */
export type FromModelHost =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pong'; readonly nth: number }
  | {
      readonly kind: 'used';
      readonly callId: CallId;
      readonly model: ModelAtCredential;
      readonly outcome: ModelOutcome;
    }
  | { readonly kind: 'near_limit'; readonly callId: CallId; readonly model: ModelAtCredential }
  | { readonly kind: 'take_line'; readonly nth: number; readonly callId: CallId; readonly model: ModelAtCredential };
