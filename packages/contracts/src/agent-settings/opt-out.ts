import { z } from 'zod';
import type { TemplateText } from './template-text.ts';

/** One key of a telephone. */
export const phoneKey = z.string().regex(/^[0-9*#]$/, 'must be one phone key: 0-9, * or #');

const CONFIRMATION = 'You will not be called again. Goodbye.';

/** Said to a callee who has opted out, to its end. Then the agent hangs up. */
const confirmation = (text: TemplateText) => text.default(CONFIRMATION);

/** How a callee of a scripted agent opts out: by a key alone, since a script understands no words. */
export const scriptedOptOut = (text: TemplateText) =>
  z.strictObject({ key: phoneKey, confirmation: confirmation(text) });

/** The same of an agent that models conduct. */
export const conductedOptOut = (text: TemplateText) =>
  z.strictObject({
    key: phoneKey.optional(),
    confirmation: confirmation(text),
    /** The model has the tool `opt_out`. */
    on_model: z.boolean().default(true),
  });
