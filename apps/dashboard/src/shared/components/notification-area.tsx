import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';

export default function NotificationArea() {
  return <Notifications position="bottom-right" autoClose={5_000} />;
}
