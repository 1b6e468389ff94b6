import { fillTemplate, type ConductedSettings } from '@outdial/contracts';
import { unreachable, type Clock } from '@outdial/kernel';
import {
  openGeminiTextMind,
  openLlmTextMind,
  openOpenAiLiveTextMind,
  openRealtimeTextMind,
  type TextMind,
  type TextMindEvent,
} from '@outdial/minds';
import { chosenModels, socketAddress, type ProviderConnections } from '../model-thread/chosen-models.ts';
import type { CallToOpen } from '../model-thread/messages.ts';
import { languageModelOf } from '../model-thread/open-cascade.ts';
import { mindInputOf } from '../model-thread/open-mind.ts';
import type { ModelUses } from '../model-thread/model-use.ts';
import { DIALECTS, geminiSettings, openAiLiveSettings, openAiSettings } from '../model-thread/open-realtime.ts';

export type OpenTextMind = (call: CallToOpen, listener: (event: TextMindEvent) => void) => TextMind;

export interface TextMindsOptions extends ProviderConnections {
  readonly clock: Clock;
}

/** A try uses first choices alone, and adds nothing to the breakers' evidence. */
const NO_USES: ModelUses = { used: () => undefined, nearLimit: () => undefined, takeLine: async () => false };

/**
 * The model that answers an agent's callees, without ears and voice: of a cascade its language model, of a realtime agent
 * its realtime model in a session of text. The first choice alone. Throws if it has no credential.
 */
export function createTextMinds(options: TextMindsOptions): OpenTextMind {
  const { openSocket, clock } = options;
  return (call, listener) => {
    const { settings } = call;
    const { instructions, tools } = mindInputOf(call);
    switch (settings.driver) {
      case 'cascade': {
        const [chosen] = chosenModels('llm', [settings.llm], { ...call, uses: NO_USES });
        if (chosen === undefined) throw new Error('the try has no credential for its model');
        return openLlmTextMind({ instructions, tools, model: languageModelOf(options, chosen), clock, listener });
      }
      case 'realtime': {
        const [chosen] = chosenModels('realtime', [settings.model], { ...call, uses: NO_USES });
        if (chosen === undefined) throw new Error('the try has no credential for its model');
        const { choice, credential, address, scope } = chosen;
        const access = { credential, baseUrl: socketAddress(address), openSocket: openSocket(scope), clock, listener };
        const input = { settings, instructions, tools };
        if (choice.provider === 'google') {
          return openGeminiTextMind({ ...access, settings: geminiSettings(choice, input) });
        }
        if (choice.provider === 'openai_live') {
          return openOpenAiLiveTextMind({ ...access, settings: openAiLiveSettings(choice, input) });
        }
        const dialect = DIALECTS[choice.provider];
        return openRealtimeTextMind({ ...access, dialect, settings: openAiSettings(choice, input) });
      }
      default:
        return unreachable(settings);
    }
  };
}

/** The variables of a try: those that were filled in, and plain values for those that every call has. */
export function tryVariables(
  given: Readonly<Record<string, string>>,
  tryId: string,
  { language, timezone }: Pick<ConductedSettings, 'language' | 'timezone'>,
  clock: Pick<Clock, 'nowMs'>,
): Readonly<Record<string, string>> {
  const now = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', timeZone: timezone });
  const own = { callee_number: 'unknown', caller_number: 'unknown', now: now.format(clock.nowMs()), call_id: tryId };
  return { ...own, ...given };
}

/** The first message word for word, or null if the model makes it or the callee speaks first. */
export function staticOpening(settings: ConductedSettings, variables: Readonly<Record<string, string>>): string | null {
  const { first_message: text, first_message_mode: mode, first_speaker: first } = settings;
  return first === 'agent' && mode === 'static' && text !== undefined ? fillTemplate(text, variables) : null;
}
