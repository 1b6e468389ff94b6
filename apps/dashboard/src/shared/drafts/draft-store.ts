const PREFIX = 'outdial-draft:';

/** Whose draft, and of what: `new-agent`, `note:<call>`. */
export interface DraftKey {
  readonly userId: string;
  readonly accountId: string;
  readonly form: string;
}

const nameOf = ({ userId, accountId, form }: DraftKey) => `${PREFIX}${userId}:${accountId}:${form}`;

/** What `sessionStorage` is used for. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * What was written in a form and not sent, for as long as the tab is open: a session that ends, a reload or the Back
 * button must not lose it. Storage may be full or forbidden: a form then works without.
 */
export function draftStore(storage: () => DraftStorage) {
  return {
    /** Undefined: there is none, or none that can be read. */
    read(key: DraftKey): unknown {
      try {
        const text = storage().getItem(nameOf(key));
        return text === null ? undefined : JSON.parse(text);
      } catch {
        return undefined;
      }
    },
    write(key: DraftKey, value: unknown): void {
      try {
        storage().setItem(nameOf(key), JSON.stringify(value));
      } catch {
        // Kept by the form alone.
      }
    },
    remove(key: DraftKey): void {
      try {
        storage().removeItem(nameOf(key));
      } catch {
        // There is none.
      }
    },
    /** At the sign-out: nothing that was written stays for whoever uses the tab next. */
    clear(): void {
      try {
        const at = storage();
        const names = Array.from({ length: at.length }, (_, index) => at.key(index));
        for (const name of names) if (name?.startsWith(PREFIX)) at.removeItem(name);
      } catch {
        // There are none.
      }
    },
  };
}

export const drafts = draftStore(() => sessionStorage);
