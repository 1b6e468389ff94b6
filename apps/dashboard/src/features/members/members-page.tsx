import { Page } from '../../shared/components/page.tsx';

export function MembersPage() {
  return <Page title="Members">{null}</Page>;
}
