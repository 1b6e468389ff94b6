import { notifications } from '@mantine/notifications';
import { IconCheck, IconX } from '@tabler/icons-react';

/** Says that something was done. Announced to readers of the screen, too. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal', icon: <IconCheck size={16} aria-hidden />, role: 'status' });
}

/** Says that something was not done, and why. */
export function notifyFailure(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', icon: <IconX size={16} aria-hidden />, autoClose: 10_000 });
}
