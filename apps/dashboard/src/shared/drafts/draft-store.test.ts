import { expect, test } from 'vitest';
import { draftStore, type DraftStorage } from './draft-store.ts';

function memoryStorage(): DraftStorage {
  const entries = new Map<string, string>();
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
    key: (index) => [...entries.keys()][index] ?? null,
    get length() {
      return entries.size;
    },
  };
}

const KEY = { userId: 'u', accountId: 'a', form: 'new-agent' };

test('a draft belongs to one user, one account and one form', () => {
  const store = draftStore(memoryStorageOnce());
  store.write(KEY, { name: 'Ada' });
  expect(store.read(KEY)).toEqual({ name: 'Ada' });
  expect(store.read({ ...KEY, userId: 'v' })).toBeUndefined();
  expect(store.read({ ...KEY, accountId: 'b' })).toBeUndefined();
  expect(store.read({ ...KEY, form: 'note:1' })).toBeUndefined();
});

test('signing out removes all drafts and nothing else', () => {
  const storage = memoryStorage();
  const store = draftStore(() => storage);
  storage.setItem('outdial-reloaded-at', '1');
  store.write(KEY, 1);
  store.write({ ...KEY, form: 'note:1' }, 2);
  store.clear();
  expect([store.read(KEY), storage.length, storage.getItem('outdial-reloaded-at')]).toEqual([undefined, 1, '1']);
});

test('forms work when storage is blocked, full or corrupt', () => {
  const forbidden = draftStore(() => {
    throw new Error('SecurityError');
  });
  forbidden.write(KEY, 1);
  forbidden.clear();
  expect(forbidden.read(KEY)).toBeUndefined();
  const storage = memoryStorage();
  storage.setItem('outdial-draft:u:a:new-agent', '{half');
  expect(draftStore(() => storage).read(KEY)).toBeUndefined();
});

function memoryStorageOnce(): () => DraftStorage {
  const storage = memoryStorage();
  return () => storage;
}
