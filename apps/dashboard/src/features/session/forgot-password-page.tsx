import { Page } from '../../shared/components/page.tsx';

export function ForgotPasswordPage() {
  return <Page title="ForgotPasswordPage">{null}</Page>;
}
