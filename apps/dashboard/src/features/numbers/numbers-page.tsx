import { Page } from '../../shared/components/page.tsx';

export function NumbersPage() {
  return <Page title="Numbers">{null}</Page>;
}
