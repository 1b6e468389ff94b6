import { defineConfig } from 'vitepress';
import { decisionRecords } from './decision-records.ts';
import { guides } from './sidebar.ts';

export default defineConfig({
  title: 'Outdial',
  description: 'Self-hosted outbound calls that an AI voice agent conducts.',
  lang: 'en-US',
  base: '/docs/',
  cleanUrls: true,
  // The API serves the site under a policy without inline scripts: the site's data goes to files.
  metaChunk: true,
  srcExclude: ['node_modules/**', 'dist/**', '.build/**'],
  rewrites: { 'adr/README.md': 'adr/index.md' },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/docs/icon.svg' }]],
  markdown: {
    config(md) {
      const render = md.renderer.rules.code_inline;
      // Vue would take the placeholders of agents, {{name}}, for its own.
      md.renderer.rules.code_inline = (tokens, index, options, env, self) => {
        tokens[index]?.attrSet('v-pre', '');
        return render?.(tokens, index, options, env, self) ?? self.renderToken(tokens, index, options);
      };
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Guides', link: '/guides/calls' },
      { text: 'Reference', link: '/reference/api' },
      { text: 'Runbook', link: '/runbook' },
      // Not a page of this site: the product serves it.
      { text: 'Try the API', link: '/api', target: '_self', rel: '' },
    ],
    sidebar: [...guides, { text: 'Decisions', collapsed: true, items: decisionRecords() }],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
});
