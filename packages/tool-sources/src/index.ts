export { McpError, type McpErrorKind } from './mcp-error.ts';
export { openMcpSession, type McpServer, type McpSession, type McpSessionDeps } from './mcp-session.ts';
export { Operation } from './operation.ts';
export { hasMcpSources, pinTools, type ListingDeps, type Pinned } from './pin-tools.ts';
export { resultText } from './result-text.ts';
export { cutWithoutSecrets, filledHeaders, withoutSecrets } from './secrets.ts';
