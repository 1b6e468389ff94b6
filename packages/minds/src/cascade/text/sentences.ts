/** A sound before this much text would be a word alone. */
const MIN_FIRST_LENGTH = 12;
/** A part that is this long is spoken up to its last space. */
const MAX_FIRST_LENGTH = 60;
const MAX_LENGTH = 240;
/** A part that is shorter than this joins the next: a voice needs a few words for its melody. */
const MIN_LENGTH = 30;
const SENTENCE_END = /[.!?…。！？]["'”’)\]*_]*\s/g;
const CLAUSE_END = /[.!?…。！？,;:–—]["'”’)\]*_]*\s/g;
const ABBREVIATION = /(?:^|[\s("])(?:Dr|Mr|Mrs|Ms|St|No|Nr|Prof|Jr|Sr|vs|approx|e\.g|i\.e|[A-Za-z])\.["')]*\s$/;

/**
 * Cuts the text of an answer into parts to speak. The first ends with a clause, so that the sound begins early; those
 * after it are whole sentences. Nothing is lost: the parts together are the text.
 */
export class Sentences {
  #text = '';
  #first = true;

  add(text: string): readonly string[] {
    this.#text += text;
    const parts: string[] = [];
    for (let end = this.#end(); end > 0; end = this.#end()) {
      parts.push(this.#text.slice(0, end));
      this.#text = this.#text.slice(end);
      this.#first = false;
    }
    return parts;
  }

  /** What is left at the end of the answer; may be empty. */
  rest(): string {
    const rest = this.#text;
    this.#text = '';
    return rest;
  }

  /** Where the next part ends, or 0. */
  #end(): number {
    const minLength = this.#first ? MIN_FIRST_LENGTH : MIN_LENGTH;
    for (const match of this.#text.matchAll(this.#first ? CLAUSE_END : SENTENCE_END)) {
      const end = match.index + match[0].length;
      const part = this.#text.slice(0, end);
      if (end >= minLength && !ABBREVIATION.test(part) && !opensLink(part)) return end;
    }
    const maxLength = this.#first ? MAX_FIRST_LENGTH : MAX_LENGTH;
    if (this.#text.length <= maxLength) return 0;
    const space = this.#text.lastIndexOf(' ', maxLength);
    if (space > 0 && !opensLink(this.#text.slice(0, space))) return space + 1;
    return this.#text.length > 2 * MAX_LENGTH ? this.#text.length : 0;
  }
}

/** A Markdown link that is cut in two would be spoken with its address. */
const opensLink = (part: string): boolean => /\[[^\]]*$|\]\([^)]*$/.test(part);
