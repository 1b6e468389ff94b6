/** Where on the wire something is to be caught. */
export interface TrapPlace {
  /** What the request contains, byte for byte: a name out of a statement, a key. */
  readonly text: string;
  /** `request`: before the store has it. `reply`: the store has done it, and nobody knows. */
  readonly at: 'request' | 'reply';
}

/** What a trap holds in its hand: these bytes, and all that follow them on the connection the same way. */
export interface Caught {
  /** Lets it pass, late. */
  release(): void;
  /** Lets nothing pass that way on this connection any more. */
  swallow(): void;
  /** Resets the connection: what is held never arrives. */
  cut(): void;
}

/** Catches one request or reply, the first that matches. */
export class Trap {
  readonly place: TrapPlace;
  readonly caught: Promise<Caught>;
  readonly #onSprung: () => void;
  #resolve: (caught: Caught) => void = () => undefined;

  constructor(place: TrapPlace, onSprung: () => void) {
    this.place = place;
    this.#onSprung = onSprung;
    this.caught = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Takes it out of use. `caught` then stays pending, unless something was caught already. */
  disarm(): void {
    this.#onSprung();
  }

  /** The request has been recognised: from now on the trap waits for this one alone. */
  reserve(): void {
    this.#onSprung();
  }

  spring(caught: Caught): void {
    this.#onSprung();
    this.#resolve(caught);
  }
}
