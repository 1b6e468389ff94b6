import { Page } from '../../shared/components/page.tsx';

export function OperationsPage() {
  return <Page title="Operations">{null}</Page>;
}
