import { Page } from '../../shared/components/page.tsx';

export function SignInPage() {
  return <Page title="SignInPage">{null}</Page>;
}
