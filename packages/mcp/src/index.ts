export { answerMcp, type McpAnswer, type McpRequest } from './http.ts';
export { createServer, type ServerDeps } from './server.ts';
export { serveStdio, type StdioOptions } from './stdio.ts';
export type { Sleep } from './tools/tool.ts';
