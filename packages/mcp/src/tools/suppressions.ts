import { z } from 'zod';
import { numberSchema } from '../shapes/call.ts';
import { READS, type Tool } from './tool.ts';

const add = z.object({
  number: numberSchema,
  reason: z.string().min(1).max(500).exactOptional().describe('Why, in the words of the person who asked.'),
});
const added = z.object({
  number: z.string(),
  was_new: z.boolean().describe('False: the number was on the list already.'),
});

export const addSuppression: Tool<typeof add, typeof added> = {
  name: 'add_suppression',
  title: 'Put a number on the do-not-call list',
  description:
    'The account no longer calls the number. Use it when the user wants that, or reports that a person asked for no more calls.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: add,
  output: added,
  async run({ number, ...more }, { outdial, signal }) {
    const created = await outdial.suppressions.add({ numbers: [number], ...more }, { signal });
    return { number, was_new: created.added > 0 };
  },
};

const check = z.object({ number: numberSchema });
const checked = z.object({
  number: z.string(),
  suppressed: z.boolean().describe('True: place_call would be refused.'),
  by: z.string().nullable().describe('Whose list it is on: `account` or `platform`.'),
  since: z.string().nullable().describe('When the entry of the account was made.'),
  opted_out: z.boolean().describe('The person asked for it. Only the operator of the service lifts it.'),
});

export const checkSuppression: Tool<typeof check, typeof checked> = {
  name: 'check_suppression',
  title: 'Check a number against the do-not-call lists',
  description: 'Returns whether a number is on the do-not-call list of the account, or on that of the platform.',
  hints: READS,
  input: check,
  output: checked,
  async run({ number }, { outdial, signal }) {
    const [result] = await outdial.suppressions.check([number], { signal });
    const entry = result?.suppression ?? null;
    return {
      number,
      suppressed: result?.suppressed === true,
      by: result?.by ?? null,
      since: entry?.created_at ?? null,
      opted_out: entry?.kind === 'opt_out',
    };
  },
};
