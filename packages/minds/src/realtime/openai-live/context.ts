/** A note for the model. `asked`: it acts on it at once; else it keeps it in mind. */
export type Context = 'asked' | 'silent';

/** The provider takes 500 tokens in a note: about 1,500 Latin characters, and 330 of other scripts. */
const MAX_WEIGHT = 450;
const weightOf = (character: string): number => (character.charCodeAt(0) < 0x250 ? 0.3 : 1.3);

export const appended = (how: Context, content: string, eventId?: string): object => ({
  type: how === 'asked' ? 'session.instructions.append' : 'session.thinking.append',
  content,
  // Those of delegated work come as results of its tools.
  delegation_id: null,
  ...(eventId === undefined ? {} : { event_id: eventId }),
});

/** A text in parts of which each fits into a note, cut between words where it can be. */
export function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let weight = 0;
  for (const word of text.match(/\s*\S{1,200}|\s+$/g) ?? []) {
    const more = [...word].reduce((sum, character) => sum + weightOf(character), 0);
    if (weight + more > MAX_WEIGHT && part !== '') {
      parts.push(part);
      part = '';
      weight = 0;
    }
    part += word;
    weight += more;
  }
  return part === '' && parts.length > 0 ? parts : [...parts, part];
}
