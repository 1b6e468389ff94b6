import { z } from 'zod';

/** The name of a model as its provider writes it. */
export const modelName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,119}$/, 'must be the name of a model, as its provider writes it');

/** The name of one of the account's or the operator's credentials. */
export const credentialName = z.string().trim().min(1, 'must not be empty').max(100);
