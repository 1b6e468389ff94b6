import { Page } from '../../shared/components/page.tsx';

export function CallsPage() {
  return <Page title="Calls">{null}</Page>;
}
