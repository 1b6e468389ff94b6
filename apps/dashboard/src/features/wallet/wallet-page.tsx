import { Page } from '../../shared/components/page.tsx';

export function WalletPage() {
  return <Page title="Wallet">{null}</Page>;
}
