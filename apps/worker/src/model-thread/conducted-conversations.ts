import {
  wrapConversation,
  type Conversation,
  type Conversations,
  type CredentialOpener,
  type OpenedCredential,
  type PinnedModel,
} from '@outdial/calls';
import { secretNamesOf, type ConductedSettings } from '@outdial/contracts';
import { InvariantError, pause, type Clock, type Logger } from '@outdial/kernel';
import { usableModels, type CallModels } from './call-models.ts';
import type { OpenedModel } from './messages.ts';
import type { ModelThread } from './start-model-thread.ts';

export interface ConductedConversationsOptions {
  readonly conversations: Conversations;
  readonly models: Pick<ModelThread, 'openCall' | 'refuseCall' | 'forgetCall'>;
  readonly calls: Pick<CallModels, 'add' | 'remove' | 'openBreakers'>;
  readonly credentials: CredentialOpener;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A store that is too busy has this long to open credentials: as a rule the telephone still rings. */
const OPEN_WITHIN_MS = 10_000;
const OPEN_AGAIN_MS = 500;

type OpenInput = Parameters<Conversations['open']>[0];

/** Conversations whose minds are opened in the model thread; scripted ones pass through. */
export function createConductedConversations(options: ConductedConversationsOptions): Conversations {
  return {
    open(input) {
      const { settings } = input;
      const conversation = options.conversations.open(input);
      return settings.driver === 'scripted' ? conversation : withMind(options, input, settings, conversation);
    },
  };
}

function withMind(
  { models, calls, credentials, clock, logger }: ConductedConversationsOptions,
  { callId, variables, conducted }: OpenInput,
  settings: ConductedSettings,
  conversation: Conversation,
): Conversation {
  let isOver = false;

  /** Again while the store fails: that says nothing about the credentials. */
  async function openCredentials({ accountId, models: pinned }: NonNullable<OpenInput['conducted']>) {
    const ids = [...new Set(pinned.map(({ credentialId }) => credentialId))];
    const untilMs = clock.monotonicMs() + OPEN_WITHIN_MS;
    for (;;) {
      try {
        return await Promise.all([
          credentials.open(accountId, ids),
          credentials.openSecrets(accountId, secretNamesOf(settings)),
        ]);
      } catch (error) {
        if (isOver || clock.monotonicMs() + OPEN_AGAIN_MS > untilMs) throw error;
        await pause(clock, OPEN_AGAIN_MS);
      }
    }
  }

  async function openMind(): Promise<void> {
    try {
      if (!conducted) throw new InvariantError('a conducted call has its models');
      const { accountId } = conducted;
      calls.add(callId, conducted);
      const [open, [opened, secrets]] = await Promise.all([calls.openBreakers(), openCredentials(conducted)]);
      if (isOver) return;
      const usable = usableModels(conducted, open);
      if (usable === null) return models.refuseCall(callId, 'known_to_be_down', 'provider_unavailable');
      models.openCall({ callId, accountId, settings, variables, models: openedModels(usable, opened), secrets });
    } catch (error) {
      logger.error({ event: 'call.credentials_not_opened', err: error }, 'the credentials of a call were not opened');
      if (!isOver) models.refuseCall(callId, 'credentials_not_opened', 'provider_unavailable');
    }
  }
  void openMind();

  return wrapConversation(conversation, {
    async finish() {
      try {
        return await conversation.finish();
      } finally {
        isOver = true;
        models.forgetCall(callId);
        calls.remove(callId);
      }
    },
  });
}

/** Models whose credential was deleted, or leads nowhere, are left out: their fallbacks may do. */
export function openedModels(
  pinned: readonly PinnedModel[],
  opened: readonly OpenedCredential[],
): readonly OpenedModel[] {
  return pinned.flatMap(({ component, provider, model, isFallback, isOwn, credentialId }) => {
    const credential = opened.find((candidate) => candidate.credentialId === credentialId);
    if (credential === undefined || credential.baseUrl === null) return [];
    const { apiKey, baseUrl, generations } = credential;
    const limit = component === 'tts' && generations ? { generations } : {};
    return [{ component, provider, model, isFallback, isOwn, credentialId, apiKey, baseUrl, ...limit }];
  });
}
