export { openBrowser } from './open-browser.ts';
