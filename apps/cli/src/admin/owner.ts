import { accountIdSchema, type AccountId } from '@outdial/contracts';
import { z } from 'zod';

/** The two flags of commands that act on an account or on the system. */
export const ownerFields = {
  account: accountIdSchema.optional(),
  system: z.literal(true).optional(),
};

interface OwnerInput {
  readonly account?: AccountId | undefined;
  readonly system?: true | undefined;
}

export function whoseFlags(what: string) {
  return [
    ['--account <id>', `${what}: an account's`],
    ['--system', `${what}: the system's`],
  ] as const;
}

/** Requires exactly one of the two: a forgotten flag must not change a system-wide setting. */
export function withOneOwner<Schema extends z.ZodObject<typeof ownerFields>>(schema: Schema): Schema {
  return schema.refine((input: OwnerInput) => (input.account === undefined) !== (input.system === undefined), {
    path: ['account'],
    message: 'set either --account <id> or --system',
  });
}

/** Null means the system. */
export function ownerOf(input: OwnerInput): AccountId | null {
  return input.account ?? null;
}
