import { Page } from '../../shared/components/page.tsx';

export function ApiKeysPage() {
  return <Page title="API keys">{null}</Page>;
}
