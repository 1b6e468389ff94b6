import { BYE, endCall, GENERATED, OPENING, PROMPT, reads, says, SLOT, type WholeCall } from './scenario.ts';

const bye = { when: /fine|thank you\.|Goodbye/, say: BYE, tool: endCall };
const SORRY = 'I am sorry, I cannot look that up now.';
const FAILURE = 'I am sorry, there is a technical problem. Goodbye.';
const SCRIPT = { opening: { say: GENERATED }, rules: [bye], otherwise: { say: SLOT } };
const ASKS_AGAIN = { prompt: PROMPT, after_ms: 1_500, times: 5 };

/** What a provider or a tool does wrong in a call, and what becomes of the call. */
export const FAILURES: readonly WholeCall[] = [
  {
    name: 'ears that go deaf are followed by their fallback',
    family: 'cascade',
    persona: 'talks_over',
    script: SCRIPT,
    settings: { no_input: ASKS_AGAIN },
    // It understands the greeting, and nothing after it.
    models: { stt: { model: 'stall-after-2-deltas', fallbacks: [{ model: 'flux-general-en' }] } },
    expected: { reason: 'agent_hangup', answeredBy: 'human' },
  },
  {
    name: 'a voice that fails in a sentence is followed by its fallback, and no word is lost',
    family: 'cascade',
    persona: 'friendly',
    script: SCRIPT,
    models: { tts: { model: 'drop-after-2-deltas', fallbacks: [{ model: 'eleven_flash_v2_5' }] } },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), says(SLOT), says(BYE)] },
  },
  {
    name: 'a voice that is out of order ends the call before anybody has answered',
    family: 'cascade',
    persona: 'friendly',
    script: SCRIPT,
    models: { tts: { model: '503' } },
    expected: { reason: 'provider_unavailable', answeredBy: null },
  },
  {
    name: 'tools that refuse or never answer are told to the model, and the call goes on',
    family: 'cascade',
    persona: 'friendly',
    script: {
      ...SCRIPT,
      rules: [
        { when: /HTTP 503/, tool: { name: 'hangs', arguments: {} } },
        { when: /request failed/, say: SORRY },
        bye,
      ],
      otherwise: { tool: { name: 'broken', arguments: {} } },
    },
    httpTools: ['broken', 'hangs'],
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), says(SORRY), says(BYE)] },
  },
  {
    name: 'turns end by silence where the settings want it, however unsure the ears are',
    family: 'cascade',
    persona: 'friendly',
    script: SCRIPT,
    settings: { endpointing: { mode: 'silence', min_delay_ms: 500 } },
    timings: { endOfTurnMs: 60_000 },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), says(SLOT), says(BYE)] },
  },
  {
    name: 'a slow answer is bridged until it begins',
    family: 'realtime',
    persona: 'silent',
    script: { ...SCRIPT, opening: { say: GENERATED, delayMs: 5_000 } },
    settings: { first_message_mode: 'generated', waiting: { after_ms: 500 }, no_input: { after_ms: 1_500, times: 0 } },
    expected: { reason: 'silence_timeout', answeredBy: 'unknown', turns: [reads('One moment.'), says(GENERATED)] },
  },
  {
    name: 'an answer that never comes ends the call with the failure message',
    family: 'realtime',
    persona: 'friendly',
    script: { ...SCRIPT, rules: [], otherwise: { delayMs: 60_000, say: SLOT } },
    expected: { reason: 'provider_unavailable', answeredBy: 'human', turns: [reads(OPENING), reads(FAILURE)] },
  },
  {
    name: 'an empty answer is followed by the no-input prompt',
    family: 'realtime',
    persona: 'friendly',
    script: { ...SCRIPT, otherwise: {} },
    settings: { no_input: ASKS_AGAIN },
    expected: { reason: 'agent_hangup', answeredBy: 'human', turns: [reads(OPENING), reads(PROMPT), says(BYE)] },
  },
  {
    name: 'a model that hears nothing of the callee is followed by the no-input prompt',
    family: 'realtime',
    persona: 'friendly',
    script: SCRIPT,
    settings: { no_input: { ...ASKS_AGAIN, times: 1 } },
    models: { model: { model: 'deaf' } },
    expected: { answeredBy: 'human', turns: [reads(OPENING), reads(PROMPT)] },
  },
];
