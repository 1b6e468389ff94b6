import type { NotificationData } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';
import { lazy, Suspense, useSyncExternalStore } from 'react';

/** Loaded with the first notification: most page views have none. */
const Area = lazy(() => import('./notification-area.tsx'));

let isNeeded = false;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Renders the notifications. Once per page. */
export function Notifications() {
  const isShown = useSyncExternalStore(subscribe, () => isNeeded);
  if (!isShown) return null;
  return (
    <Suspense>
      <Area />
    </Suspense>
  );
}

async function show(notification: NotificationData): Promise<void> {
  isNeeded = true;
  for (const listener of listeners) listener();
  const { notifications } = await import('@mantine/notifications');
  // The library's close button has no name.
  notifications.show({ ...notification, closeButtonProps: { 'aria-label': 'Close' } });
}

/** Confirms an action. Screen readers announce it too. */
export function notifyDone(message: string): void {
  void show({ message, color: 'teal', icon: <IconCheck size={16} aria-hidden />, role: 'status' });
}

/** Reports that an action failed, and why. */
export function notifyFailure(title: string, message: string): void {
  void show({ title, message, color: 'red', icon: <IconX size={16} aria-hidden />, autoClose: 10_000 });
}
