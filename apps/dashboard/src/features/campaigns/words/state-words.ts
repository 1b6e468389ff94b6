import type { CampaignBody } from '@outdial/contracts';
import { callsWord, contactsWord } from './progress-words.ts';

type Stood = Pick<CampaignBody, 'state' | 'starts_at' | 'ends_at' | 'progress'>;

/** Where the campaign stands, in a sentence. */
export function stateSentence(campaign: Stood, time: (iso: string) => string): string {
  const { state, starts_at: startsAt, progress } = campaign;
  switch (state) {
    case 'draft':
      return progress.contacts === 0 ? 'Add contacts, then start it.' : 'Nothing is dialed until you start it.';
    case 'scheduled':
      return startsAt === null ? 'It starts in a moment.' : `It starts on ${time(startsAt)}.`;
    case 'running':
      return progress.held_by === null ? 'Its contacts are being called.' : 'It calls no more at the moment.';
    case 'paused':
      return progress.open === 0
        ? 'Nothing is dialed until you resume it.'
        : `Nothing more is dialed; ${callsWord(progress.open)} still open.`;
    case 'cancelling':
      return 'What is scheduled ends; nothing more is dialed.';
    case 'cancelled':
      return 'It was canceled, and calls no more contacts.';
    case 'completed':
      return 'Every contact is done, or its time was over.';
    default:
      return state satisfies never;
  }
}

export interface Consequences {
  readonly title: string;
  readonly confirmLabel: string;
  readonly closeLabel: string;
  readonly done: string;
  readonly sentences: readonly string[];
}

/** What the agent is called, if its name is known. */
interface Known {
  readonly agentName: string | undefined;
  readonly time: (iso: string) => string;
}

export function startConsequences(campaign: CampaignBody, { agentName, time }: Known): Consequences {
  const { starts_at: startsAt, retry, budget, progress } = campaign;
  const who = agentName === undefined ? 'its agent' : `“${agentName}”`;
  const when = startsAt === null ? 'begins to call' : `waits, and from ${time(startsAt)} calls`;
  return {
    title: 'Start the campaign?',
    confirmLabel: 'Start campaign',
    closeLabel: 'Not yet',
    done: startsAt === null ? 'The campaign runs.' : 'The campaign is scheduled.',
    sentences: [
      `It ${when} ${contactsWord(progress.contacts)} with ${who}, in the version that the agent has now.`,
      retry === null
        ? 'Each contact is called once.'
        : `A contact who is not reached is called up to ${retry.max_attempts} times.`,
      budget === null
        ? 'It has no budget: its calls cost what they cost, up to your balance.'
        : 'It is paused when its budget is used up.',
      'You can pause it at any time.',
    ],
  };
}

export function pauseConsequences({ progress: { open, waiting } }: Pick<CampaignBody, 'progress'>): Consequences {
  return {
    title: 'Pause the campaign?',
    confirmLabel: 'Pause campaign',
    closeLabel: 'Let it run',
    done: 'The campaign is paused.',
    sentences: [
      'Within a second no more of its calls are dialed.',
      open === 0
        ? 'It has no open calls.'
        : `${callsWord(open)} ${open === 1 ? 'is' : 'are'} open: what rings or talks goes on, and what waits for its dial is called again once you resume it.`,
      ...(waiting === 0
        ? []
        : [`${contactsWord(waiting)} with a scheduled call ${waiting === 1 ? 'waits' : 'wait'} until you resume it.`]),
    ],
  };
}

export function resumeConsequences(campaign: Pick<CampaignBody, 'progress' | 'ends_at'>, nowMs: number): Consequences {
  const { progress, ends_at: endsAt } = campaign;
  const left = progress.remaining + progress.waiting;
  return {
    title: 'Resume the campaign?',
    confirmLabel: 'Resume campaign',
    closeLabel: 'Keep it paused',
    done: 'The campaign runs again.',
    sentences: [
      `It goes on where it was, with ${contactsWord(left)} to call.`,
      ...(endsAt !== null && Date.parse(endsAt) <= nowMs
        ? ['Its end has passed: it ends without another call, unless you move its end first.']
        : []),
      ...(progress.held_by === 'budget' ? ['Its budget is used up: raise it first, or it is paused again.'] : []),
    ],
  };
}

export function cancelConsequences({ progress }: Pick<CampaignBody, 'progress'>): Consequences {
  const { remaining, waiting } = progress;
  return {
    title: 'Cancel the campaign?',
    confirmLabel: 'Cancel campaign',
    closeLabel: 'Keep campaign',
    done: 'The campaign is being canceled.',
    sentences: [
      'Nothing more of it is dialed, and it cannot be resumed. You cannot undo this.',
      remaining + waiting === 0
        ? 'No contact is left to call.'
        : `${contactsWord(remaining + waiting)} ${remaining + waiting === 1 ? 'is' : 'are'} not called any more.`,
      'What was done stays, with its results.',
    ],
  };
}

export function deleteConsequences({ state, progress }: Pick<CampaignBody, 'state' | 'progress'>): Consequences {
  const { contacts, open } = progress;
  const gone = contacts === 0 ? 'settings are' : `settings and ${contactsWord(contacts)} are`;
  return {
    title: 'Delete the campaign?',
    confirmLabel: 'Delete campaign',
    closeLabel: 'Keep campaign',
    done: 'The campaign is deleted.',
    sentences: [
      `Its ${gone} removed. You cannot undo this.`,
      ...(state === 'draft'
        ? ['None of its contacts was called.']
        : [
            'Its calls stay, with their recordings and costs. You can no longer download its results: do so first.',
            ...(open === 0
              ? []
              : [`${callsWord(open)} ${open === 1 ? 'is still open, and goes' : 'are still open, and go'} on.`]),
          ]),
    ],
  };
}
