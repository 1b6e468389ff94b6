const PREFIX = 'outdial-draft:';

/** The owner of the draft and its form: `new-agent`, `note:<call>`. */
export interface DraftKey {
  readonly userId: string;
  readonly accountId: string;
  readonly form: string;
}

const nameOf = ({ userId, accountId, form }: DraftKey) => `${PREFIX}${userId}:${accountId}:${form}`;

/** The part of `sessionStorage` that drafts need. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

/**
 * Unsaved form input, kept while the tab is open: an expired session, a reload or the Back button must not lose it.
 * Storage may be full or blocked; a form then works without drafts.
 */
export function draftStore(storage: () => DraftStorage) {
  return {
    /** Undefined: there is no readable draft. */
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
        // The form itself still has the input.
      }
    },
    remove(key: DraftKey): void {
      try {
        storage().removeItem(nameOf(key));
      } catch {
        // There is no draft.
      }
    },
    /** On sign-out: the next user of the tab must not see any draft. */
    clear(): void {
      try {
        const at = storage();
        const names = Array.from({ length: at.length }, (_, index) => at.key(index));
        for (const name of names) if (name?.startsWith(PREFIX)) at.removeItem(name);
      } catch {
        // There are no drafts.
      }
    },
  };
}

export const drafts = draftStore(() => sessionStorage);
