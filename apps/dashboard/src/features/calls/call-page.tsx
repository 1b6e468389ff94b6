import { Page } from '../../shared/components/page.tsx';

export function CallPage() {
  return <Page title="Call">{null}</Page>;
}
