import { z } from 'zod';

export const FIRST_STEPS = ['agent', 'number', 'funds', 'key', 'call'] as const;
export type FirstStep = (typeof FIRST_STEPS)[number];

/** `GET` and `PUT …/first-run`: what a new account needs; each step is true once it is done. */
export const firstRunSchema = z.strictObject({
  steps: z.strictObject({
    agent: z.boolean(),
    /** The account's own number, or the system's if the account may use it. */
    number: z.boolean(),
    funds: z.boolean(),
    key: z.boolean(),
    call: z.boolean(),
  }),
  /** Whether the requesting member dismissed the list. */
  dismissed: z.boolean(),
});
export type FirstRunBody = z.output<typeof firstRunSchema>;
export const firstRunEnvelopeSchema = z.strictObject({ first_run: firstRunSchema });
export const setFirstRunSchema = z.strictObject({ dismissed: z.boolean() });
