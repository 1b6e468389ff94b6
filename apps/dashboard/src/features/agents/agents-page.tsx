import { Page } from '../../shared/components/page.tsx';

export function AgentsPage() {
  return <Page title="Agents">{null}</Page>;
}
