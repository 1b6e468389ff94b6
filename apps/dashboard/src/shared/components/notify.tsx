import type { NotificationData } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useSyncExternalStore } from 'react';

/** Loaded with the first notification: most visits to a page have none. */
const Area = lazy(() => import('./notification-area.tsx'));

let isWanted = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where notifications are shown. Once per page. */
export function Notifications() {
  const isShown = useSyncExternalStore(subscribe, () => isWanted);
  if (!isShown) return null;
  return (
    <Suspense>
      <Area />
    </Suspense>
  );
}

async function show(notification: NotificationData): Promise<void> {
  isWanted = true;
  for (const tell of listeners) tell();
  const { notifications } = await import('@mantine/notifications');
  notifications.show(notification);
}

/** Says that something was done. Announced to readers of the screen, too. */
export function notifyDone(message: string): void {
  void show({ message, color: 'teal', icon: <IconCheck size={16} aria-hidden />, role: 'status' });
}

/** Says that something was not done, and why. */
export function notifyFailure(title: string, message: string): void {
  void show({ title, message, color: 'red', icon: <IconX size={16} aria-hidden />, autoClose: 10_000 });
}
