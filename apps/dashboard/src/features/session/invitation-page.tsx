import { Page } from '../../shared/components/page.tsx';

export function InvitationPage() {
  return <Page title="InvitationPage">{null}</Page>;
}
