/** Who waits for whom: the callee for an answer that the agent owes, or the agent for the callee. Times are of the call. */
export class Waiting {
  #owedSinceMs: number | null = null;
  #quietSinceMs = 0;
  #answerBeganMs = -1;
  #toolsRunning = 0;
  #isFilled = false;
  #isLate = false;
  #askedAgain = false;
  #noInputs = 0;
  #calleeHasSpoken = false;
  #providerHears = false;

  /** Since when the callee waits for an answer; null: for none. */
  get owedSinceMs(): number | null {
    return this.#owedSinceMs;
  }

  /** Since when neither side speaks. */
  get quietSinceMs(): number {
    return this.#quietSinceMs;
  }

  get areToolsRunning(): boolean {
    return this.#toolsRunning > 0;
  }

  /** A phrase of `waiting` fills this wait already, or none may. */
  get isFilled(): boolean {
    return this.#isFilled;
  }

  /** The mind has learned that what the callee waits for is late. */
  get isLate(): boolean {
    return this.#isLate;
  }

  /** How often the callee was asked in vain since it last spoke. */
  get noInputs(): number {
    return this.#noInputs;
  }

  get calleeHasSpoken(): boolean {
    return this.#calleeHasSpoken;
  }

  /** A turn of the callee ended. `isTalking`: the mind answers the callee by itself. */
  calleeSpoke(endMs: number, nowMs: number, isTalking: boolean): void {
    this.#calleeHasSpoken = true;
    this.#quietSinceMs = nowMs;
    this.#noInputs = 0;
    if (this.#providerHears && isTalking) this.owe(endMs);
    this.#providerHears = false;
  }

  /** What the provider hears as speech, it answers. */
  providerHears(): void {
    this.#providerHears = true;
  }

  /** The callee has said something, and waits for an answer unless it has begun. */
  owe(sinceMs: number): void {
    if (this.#answerBeganMs >= sinceMs) return;
    this.#begin(sinceMs);
    this.#isFilled = false;
    this.#askedAgain = false;
  }

  /** The mind was asked for an answer. */
  asked(nowMs: number): void {
    this.#begin(nowMs);
    this.#isFilled = false;
  }

  /** The mind was asked for a no-input prompt. */
  askedForNoInput(nowMs: number): void {
    this.#noInputs += 1;
    this.#begin(nowMs);
    this.#isFilled = true;
  }

  filled(): void {
    this.#isFilled = true;
  }

  late(): void {
    this.#isLate = true;
  }

  answerBegan(nowMs: number): void {
    this.#answerBeganMs = nowMs;
    this.#owedSinceMs = null;
  }

  toolStarted(nowMs: number): void {
    this.#toolsRunning += 1;
    this.#owedSinceMs ??= nowMs;
  }

  /** `answers`: the model goes on with the result. */
  toolEnded(answers: boolean, nowMs: number): void {
    this.#toolsRunning = Math.max(0, this.#toolsRunning - 1);
    if (this.#toolsRunning > 0) return;
    if (answers) this.#begin(nowMs);
    else this.#owedSinceMs = null;
  }

  /** What the callee said before now is answered, maybe with nothing, even if our ear ends that turn later. */
  answerOver(nowMs: number): void {
    this.#answerBeganMs = nowMs;
    this.settle(nowMs);
  }

  /** No answer is owed any more: it is over, or was dropped. */
  settle(nowMs: number): void {
    this.#owedSinceMs = null;
    this.#isLate = false;
    this.#quietSinceMs = nowMs;
  }

  /** Whether an owed answer that came without words may be asked for again: once. */
  takeSecondChance(): boolean {
    const isFirst = !this.#askedAgain;
    this.#askedAgain = true;
    return isFirst;
  }

  countSilenceFrom(nowMs: number): void {
    this.#quietSinceMs = nowMs;
  }

  /** After a hold all waiting starts again. */
  restart(nowMs: number): void {
    this.#quietSinceMs = nowMs;
    if (this.#owedSinceMs !== null) this.#begin(nowMs);
  }

  /** Another wait. */
  #begin(sinceMs: number): void {
    this.#owedSinceMs = sinceMs;
    this.#isLate = false;
  }
}
