/** The place on the wire where a trap catches. */
export interface TrapPlace {
  /** Bytes that the request contains: a name in a statement, or a key. */
  readonly text: string;
  /** `request`: before the store has it. `reply`: the store has executed it, and no client knows. */
  readonly at: 'request' | 'reply';
}

/** What a trap holds: these bytes, and all that follow them on the connection in the same direction. */
export interface Caught {
  /** Lets it pass, late. */
  release(): void;
  /** Drops it and everything after it in that direction of the connection. */
  swallow(): void;
  /** Resets the connection: the held bytes never arrive. */
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

  /** Disables the trap. `caught` then stays pending, unless something was caught already. */
  disarm(): void {
    this.#onSprung();
  }

  /** The request has matched: from now on the trap waits for its reply only. */
  reserve(): void {
    this.#onSprung();
  }

  spring(caught: Caught): void {
    this.#onSprung();
    this.#resolve(caught);
  }
}
