import type { ScriptLine } from './script-line.ts';
import type { Script } from './script.ts';

/** A line that was interrupted before this share was not understood, and is repeated once. */
const UNDERSTOOD_SHARE = 0.5;

/** The position of a conversation in its script. */
export class ScriptCursor {
  readonly #script: Script;
  readonly #menuKeys: string[];
  readonly #repeated = new Set<ScriptLine>();
  #nextStep = 0;
  #again: ScriptLine | undefined;
  #noInputs = 0;
  #screeningTaken = false;

  constructor(script: Script) {
    this.#script = script;
    this.#menuKeys = [...script.menu.keys()];
  }

  /** The next line: an interrupted one, the next step, or finally the closing. */
  next(): ScriptLine {
    const again = this.#again;
    this.#again = undefined;
    if (again !== undefined) return again;
    const step = this.#script.steps[this.#nextStep];
    this.#nextStep += 1;
    return step ?? this.#script.closing;
  }

  /** The step after the last one. */
  get upcoming(): ScriptLine | undefined {
    return this.#script.steps[this.#nextStep];
  }

  /** The line was interrupted after `playedShare` of it. */
  cutOff(line: ScriptLine, playedShare: number): void {
    const carriesContent = line.purpose === 'script' || line.purpose === 'menu';
    if (!carriesContent || playedShare >= UNDERSTOOD_SHARE || this.#repeated.has(line)) return;
    this.#again = line;
    if (playedShare > 0) this.#repeated.add(line);
  }

  get owesRepetition(): boolean {
    return this.#again !== undefined;
  }

  /** The line of the last digit that is in the menu. A callee who chooses has understood: nothing is repeated. */
  choose(digits: string): ScriptLine | undefined {
    const key = digits.split('').findLast((digit) => this.#script.menu.has(digit));
    if (key === undefined) return undefined;
    this.#again = undefined;
    this.#noInputs = 0;
    return this.#script.menu.get(key);
  }

  replied(): void {
    this.#noInputs = 0;
  }

  /** The no-input prompt, or undefined once it was spoken as often as the settings allow. */
  noInput(): ScriptLine | undefined {
    if (this.#noInputs >= this.#script.noInputTimes) return undefined;
    this.#noInputs += 1;
    return this.#script.noInput;
  }

  /** The next menu key to press when a menu answered; each is tried once. */
  takeMenuKey(): string | undefined {
    return this.#menuKeys.shift();
  }

  /** Returns the reply once. */
  takeScreeningReply(): ScriptLine | undefined {
    if (this.#screeningTaken) return undefined;
    this.#screeningTaken = true;
    return this.#script.screening;
  }
}
