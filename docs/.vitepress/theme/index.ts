import DefaultTheme from 'vitepress/theme';
import type { Theme } from 'vitepress';

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp() {
    // The API reference used to be at /docs. A link to one of its operations carries the operation in the fragment.
    if (typeof location === 'undefined') return;
    if (/^\/docs\/?$/.test(location.pathname) && location.hash.startsWith('#/')) {
      location.replace(`/docs/api${location.hash}`);
    }
  },
};

export default theme;
