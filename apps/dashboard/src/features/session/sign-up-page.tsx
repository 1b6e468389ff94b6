import { Page } from '../../shared/components/page.tsx';

export function SignUpPage() {
  return <Page title="SignUpPage">{null}</Page>;
}
