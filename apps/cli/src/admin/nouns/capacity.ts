import type { Command } from 'commander';
import { z } from 'zod';
import { wholeNumberText } from '../inputs.ts';
import { ownerFields, ownerOf, whoseFlags, withOneOwner } from '../owner.ts';
import { addVerb, createNoun, type RunVerb } from '../verb.ts';

export function addCapacityVerbs(program: Command, runVerb: RunVerb): void {
  const capacity = createNoun(program, 'capacity', 'Limits on how many calls may be open at once.');
  addVerb(capacity, runVerb, {
    name: 'set',
    summary: 'Set how many calls may be open at once. Lowering it does not end open calls.',
    arguments: [['<calls>', 'open calls; 0 accepts none']],
    flags: whoseFlags('whose calls'),
    examples: ['capacity set 50 --account <account-id>', 'capacity set 2000 --system'],
    changes: true,
    input: withOneOwner(z.strictObject({ calls: wholeNumberText({ min: 0, max: 1_000_000 }), ...ownerFields })),
    async run(session, { calls, ...owner }) {
      const accountId = ownerOf(owner);
      const { capacity } = session.administration;
      const notes =
        accountId === null
          ? await session.refreshSystem(await capacity.setSystem(calls))
          : await session.refreshAccount(await capacity.setAccount({ accountId, capacity: calls }));
      return {
        json: { capacity: { account_id: accountId, limit: calls } },
        text: [`${accountId === null ? 'The system' : `Account ${accountId}`} ${meaningOf(calls)}`],
        notes,
      };
    },
  });
}

function meaningOf(calls: number): string {
  if (calls === 0) return 'accepts no new calls; open calls continue.';
  return calls === 1 ? 'may have 1 call open at a time.' : `may have ${calls} calls open at once.`;
}
