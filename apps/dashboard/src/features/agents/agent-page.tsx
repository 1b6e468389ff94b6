import { Page } from '../../shared/components/page.tsx';

export function AgentPage() {
  return <Page title="Agent">{null}</Page>;
}
