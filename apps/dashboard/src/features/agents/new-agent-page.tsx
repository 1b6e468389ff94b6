import { Page } from '../../shared/components/page.tsx';

export function NewAgentPage() {
  return <Page title="New agent">{null}</Page>;
}
