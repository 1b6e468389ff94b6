import type { MicrophoneState } from './microphone-session.ts';
import type { MicrophoneProblem } from './ports.ts';
import type { LinkEnd } from './sound-link.ts';

/** What happens now, for a person who looks, or listens to a screen reader; null: nothing. */
export function stateWords(state: MicrophoneState): string | null {
  switch (state.kind) {
    case 'asking':
      return 'Allow the microphone in your browser.';
    case 'starting':
      return 'The agent is getting ready.';
    case 'talking':
      return 'The agent hears you. Speak as the callee.';
    case 'broken':
      return 'The connection broke. Connecting again…';
    case 'off':
    case 'over':
    case 'no_microphone':
      return null;
    default:
      return state satisfies never;
  }
}

export interface Trouble {
  readonly title: string;
  readonly text: string;
}

/** What went wrong, and what to do. Null: nothing did. */
export function troubleOf(state: MicrophoneState): Trouble | null {
  if (state.kind === 'no_microphone') return PROBLEMS[state.problem];
  return state.kind === 'over' ? endTrouble(state.end) : null;
}

const PROBLEMS: Readonly<Record<MicrophoneProblem, Trouble>> = {
  insecure: {
    title: 'The microphone needs HTTPS',
    text: 'Browsers give it only to pages that come over HTTPS, or from localhost. Open the dashboard at such an address.',
  },
  denied: {
    title: 'The microphone is not allowed',
    text: 'Allow it for this site in the settings of your browser and of your system, and try again.',
  },
  none: { title: 'No microphone was found', text: 'Connect one, and try again.' },
  busy: {
    title: 'The microphone did not start',
    text: 'Another program may use it. Close that program, or choose another microphone, and try again.',
  },
  unplugged: {
    title: 'The microphone is gone',
    text: 'It was unplugged, or is no longer allowed. The conversation ends.',
  },
};

function endTrouble(end: LinkEnd): Trouble | null {
  switch (end.kind) {
    case 'ended':
      return null;
    case 'access_lost':
      return {
        title: 'You may no longer speak here',
        text: 'Your session or your membership has ended. Sign in again.',
      };
    case 'lost':
      return {
        title: 'The connection to the service was lost',
        text: 'The conversation ends. Check the network, and that a proxy passes on WebSockets.',
      };
    case 'taken':
      return { title: 'This try is open in another window', text: 'Speak there, or begin another try here.' };
    case 'not_sound':
      return { title: 'The service ended the connection', text: 'Reload the page, and try again.' };
    default:
      return end satisfies never;
  }
}
