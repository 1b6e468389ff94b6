import { Page } from '../../shared/components/page.tsx';

export function ProfilePage() {
  return <Page title="Your profile">{null}</Page>;
}
