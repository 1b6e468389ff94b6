import { openSecret, sealSecret, type SecretKey } from '@outdial/secrets';
import { emailContentSchema, type EmailContent } from './email-content.ts';

/** Keeps what an e-mail says unreadable for readers of the database. */
export interface EmailSeal {
  seal(id: string, content: EmailContent): Buffer;
  /** Null: it was sealed with another key, or it lacks what this version needs. */
  open(id: string, sealed: Uint8Array): EmailContent | null;
}

/** Seals with the first key. The others open what was sealed before the first one was configured. */
export function createEmailSeal(...keys: readonly [SecretKey, ...SecretKey[]]): EmailSeal {
  const purpose = 'e-mail';
  return {
    seal: (owner, content) => sealSecret(keys[0], JSON.stringify(content), { purpose, owner }),
    open(owner, sealed) {
      for (const key of keys) {
        const text = openSecret(key, sealed, { purpose, owner });
        if (text !== undefined) return emailContentSchema.safeParse(JSON.parse(text)).data ?? null;
      }
      return null;
    },
  };
}
