import type { Script } from '../script.ts';

/** What the model makes of a note. */
export type NoteMeaning =
  | { readonly kind: 'exact' | 'part' | 'callee' | 'instruction'; readonly text: string }
  | { readonly kind: 'stop' | 'earlier' | 'other' };

const SAY_EXACTLY = /^\[Say exactly .*?: (".*")\]$/s;
const SAY_FIRST = /^\[You will say this first: (".*")\]$/s;
const INSTRUCTED = /^\[Instruction from your supervisor /;
const TYPED = /^\[The callee says: (".*")\]$/s;

/** What is in brackets is no word of the callee, unless the script knows it. */
export function spokenPrompt(content: string, script: Script): NoteMeaning {
  const read = (pattern: RegExp): string | null => {
    const found = pattern.exec(content)?.[1];
    return found === undefined ? null : String(JSON.parse(found));
  };
  const exact = read(SAY_EXACTLY);
  if (exact !== null) return { kind: 'exact', text: exact };
  const part = read(SAY_FIRST);
  if (part !== null) return { kind: 'part', text: part };
  const typed = read(TYPED);
  if (typed !== null) return { kind: 'callee', text: typed };
  if (INSTRUCTED.test(content)) return { kind: 'instruction', text: content };
  if (content.endsWith('Do not answer it.]')) return { kind: 'earlier' };
  if (/Stop speaking/.test(content)) return { kind: 'stop' };
  return script.rules.some(({ when }) => when.test(content)) ? { kind: 'callee', text: content } : { kind: 'other' };
}
