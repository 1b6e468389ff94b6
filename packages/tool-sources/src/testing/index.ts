export { startHostileServer, type HostileServer, type Mischief } from './hostile-server.ts';
export { FREE_SLOTS, startMcpServer, type McpServerOptions, type Received, type TestMcpServer } from './mcp-server.ts';
