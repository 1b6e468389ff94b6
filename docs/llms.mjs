// What language models read: /llms.txt (https://llmstxt.org), /llms-full.txt, and every page as Markdown. Plain
// JavaScript, as build.mjs is.
import { posix } from 'node:path';
import { describeInterface } from './llms-interface.mjs';

/** Where the API serves the pages. */
const BASE = '/docs';
const SECTIONS = [
  ['Guides', /^(?:start|scope|guides\/.+)\.md$/],
  ['Concepts', /^concepts\/.+\.md$/],
  ['Reference', /^reference\/.+\.md$/],
  // https://llmstxt.org: what may be skipped for a shorter context.
  ['Optional', /^(?:runbook|performance|architecture|glossary)\.md$/],
];
/**
 * What programs need that place calls. The rest is linked: the SDK and MCP, whose readers have types and tools, and what
 * fewer programs need, such as campaigns, calls for later and retries, whose routes and fields are in the interface below.
 */
const FULL = ['start.md', 'guides/calls.md', 'guides/agents.md', 'reference/test-numbers.md'];
const SUMMARY =
  'A self-hosted service for outbound phone calls that an AI voice agent conducts. A program sends a request, Outdial dials, the agent talks, and the program reads the outcome: who answered, what was said, how long it took, what it cost, and a recording.';

/**
 * @param {ReadonlyMap<string, string>} pages the Markdown of each page, by its path below docs/.
 * @param {unknown} document the OpenAPI document.
 * @returns the two texts, by the names of their files.
 */
export function llmsTexts(pages, document) {
  return { 'llms.txt': shortText(pages), 'llms-full.txt': fullText(pages, document) };
}

/** Pages of the site; its entry is a layout without text. */
export function isPage(path) {
  return path.endsWith('.md') && path !== 'index.md';
}

function shortText(pages) {
  const sections = SECTIONS.map(([title, pattern]) => {
    const links = [...pages].filter(([path]) => pattern.test(path)).map(([path, text]) => linkTo(path, text));
    return `## ${title}\n\n${links.toSorted().join('\n')}`;
  });
  const more = [
    `Everything that a program needs to place calls, in one file: [llms-full.txt](/llms-full.txt).`,
    `The HTTP interface as OpenAPI 3.1: [openapi.json](/api/v1/openapi.json). Language models can call it as tools: \`POST /mcp\`, see [MCP](${BASE}/guides/mcp.md).`,
  ];
  return `${[`# Outdial`, `> ${SUMMARY}`, ...more, ...sections].join('\n\n')}\n`;
}

function linkTo(path, text) {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? path;
  return `- [${title}](${BASE}/${path})${about(text)}`;
}

/** The first sentence of a page. */
function about(text) {
  const prose = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/<[^>]+>/g, '');
  const paragraphs = prose.split(/\n{2,}/).map((each) => each.replaceAll('\n', ' ').trim());
  const first = paragraphs.find((each) => /^[A-Z`*]/.test(each));
  if (first === undefined) return '';
  const plain = first.replaceAll(/\[([^\]]+)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1');
  return `: ${/^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain}`;
}

function fullText(pages, document) {
  const head = `# Outdial\n\n> ${SUMMARY}\n\nThe other pages: [llms.txt](/llms.txt).`;
  const texts = FULL.map((path) => withAbsoluteLinks(path, pages.get(path) ?? missing(path)));
  return `${[head, ...texts, describeInterface(document)].join('\n\n')}\n`;
}

function missing(path) {
  throw new Error(`docs/llms.mjs names ${path}, which does not exist`);
}

/** Inline links and definitions. Pictures are left out: no model reads them here. */
const PICTURE = /^!\[[^\]]*\]\([^)]*\)\n?/gm;
const LINK = /(\]\(|^\[[^\]]+\]: )([^)\s#][^)\s]*)/gm;

function withAbsoluteLinks(page, text) {
  return text
    .replaceAll(/<!--.*?-->\n*/gs, '')
    .replaceAll(PICTURE, '')
    .replaceAll(LINK, (whole, before, target) =>
      /^(?:https?:|\/)/.test(target) ? whole : `${before}${posix.join(BASE, posix.dirname(page), target)}`,
    )
    .replaceAll(/\]\(#/g, `](${BASE}/${page}#`)
    .trim();
}
