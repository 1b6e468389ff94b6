import type { CallToolResult } from '@modelcontextprotocol/client';

type Content = CallToolResult['content'][number];

/** What a model reads of a tool's result. It reads text alone. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(textOf).filter((text) => text !== '');
  if (texts.length > 0) return texts.join('\n');
  return structuredContent === undefined ? '' : JSON.stringify(structuredContent);
}

function textOf(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text;
    case 'image':
      return '[an image]';
    case 'audio':
      return '[a sound]';
    case 'resource_link':
      return [content.title ?? content.name, content.uri, content.description ?? ''].filter(Boolean).join(': ');
    case 'resource':
      return 'text' in content.resource ? content.resource.text : `[a file: ${content.resource.uri}]`;
    default:
      return content satisfies never;
  }
}
