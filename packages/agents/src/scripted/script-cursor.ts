import type { Line } from './line.ts';
import type { Script } from './script.ts';

/** A line that was cut off before this share of it was played has not been understood, and is said again, once. */
const UNDERSTOOD_SHARE = 0.5;

/** Where a conversation stands in its script. */
export class ScriptCursor {
  readonly #script: Script;
  readonly #menuKeys: string[];
  readonly #repeated = new Set<Line>();
  #nextStep = 0;
  #again: Line | undefined;
  #noInputs = 0;
  #screeningTaken = false;

  constructor(script: Script) {
    this.#script = script;
    this.#menuKeys = [...script.menu.keys()];
  }

  /** The line that is due: one that was cut off, the next step, and at the end the closing. */
  next(): Line {
    const again = this.#again;
    this.#again = undefined;
    if (again !== undefined) return again;
    const step = this.#script.steps[this.#nextStep];
    this.#nextStep += 1;
    return step ?? this.#script.closing;
  }

  /** The step after the one that was due last. */
  get upcoming(): Line | undefined {
    return this.#script.steps[this.#nextStep];
  }

  /** The line was cut off after `playedShare` of it. */
  cutOff(line: Line, playedShare: number): void {
    const carriesContent = line.purpose === 'script' || line.purpose === 'menu';
    if (!carriesContent || playedShare >= UNDERSTOOD_SHARE || this.#repeated.has(line)) return;
    this.#again = line;
    if (playedShare > 0) this.#repeated.add(line);
  }

  get owesRepetition(): boolean {
    return this.#again !== undefined;
  }

  /** The line for the last of the digits that the menu knows. To choose is to have understood: nothing is repeated. */
  choose(digits: string): Line | undefined {
    const key = digits.split('').findLast((digit) => this.#script.menu.has(digit));
    if (key === undefined) return undefined;
    this.#again = undefined;
    this.#noInputs = 0;
    return this.#script.menu.get(key);
  }

  replied(): void {
    this.#noInputs = 0;
  }

  /** The prompt for a callee who says nothing, or undefined once it was said as often as the settings allow. */
  noInput(): Line | undefined {
    if (this.#noInputs >= this.#script.noInputTimes) return undefined;
    this.#noInputs += 1;
    return this.#script.noInput;
  }

  /** The keys of the menu, in order, for one that answers the call; each is tried once. */
  takeMenuKey(): string | undefined {
    return this.#menuKeys.shift();
  }

  /** Once. */
  takeScreeningReply(): Line | undefined {
    if (this.#screeningTaken) return undefined;
    this.#screeningTaken = true;
    return this.#script.screening;
  }
}
