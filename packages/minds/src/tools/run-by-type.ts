import type { HttpToolSettings } from '@outdial/contracts';
import { unreachable } from '@outdial/kernel';
import type { McpTool, ToolRunner } from './tool-runner.ts';

export interface RunnersByType {
  readonly http: ToolRunner<HttpToolSettings>;
  readonly mcp: ToolRunner<McpTool>;
}

/** Runs each tool as its type wants it. */
export function createRunnerByType({ http, mcp }: RunnersByType): ToolRunner {
  return {
    run(run) {
      const { tool } = run;
      switch (tool.type) {
        case 'http':
          return http.run({ ...run, tool });
        case 'mcp':
          return mcp.run({ ...run, tool });
        default:
          return unreachable(tool);
      }
    },
  };
}
