import type { AgentId, CallBody } from '@outdial/contracts';
import type { Demo } from '../instance/demo-file.ts';
import { stepLine } from '../terminal/step.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** The number of the curl example: the one that README.md calls too, and that has a conversation. */
const NEXT_CALLEE = '+12025550100';

/** Where the dashboard shows the call: its recording, its cost by component, its latency, and all of it as JSON. */
export function callLine(demo: Demo, call: Pick<CallBody, 'id'>): string {
  return stepLine(' ', 'Call', `${demo.dashboard_url}accounts/${demo.account_id}/calls/${call.id}`);
}

/** @param path of the recording on this machine; null when a bucket has it. */
export function recordingLine(call: CallBody, path: string | null): string {
  const where = call.recording_status === 'none' ? 'none' : (path ?? call.recording_url);
  return stepLine(' ', 'Recording', where);
}

/**
 * Shows how to sign in, where the API is, and how to place the next call. The key and the password are shown only by
 * the start that generated them.
 */
export function showAccess(
  terminal: Terminal,
  input: {
    readonly demo: Demo;
    /** Of the next call. */
    readonly agentId: AgentId;
    readonly demoPath: string;
    readonly isNewKey: boolean;
    readonly isNewPassword: boolean;
  },
): void {
  const { demo, agentId, demoPath, isNewKey, isNewPassword } = input;
  const keyText = isNewKey ? `${terminal.paint.strong(demo.api_key)}  (shown this once)` : 'see demo.json';
  terminal.print(stepLine(' ', 'Dashboard', demo.dashboard_url));
  terminal.print(stepLine(' ', 'Sign in', `${demo.email}, ${passwordText(terminal, demo, isNewPassword)}`));
  terminal.print(stepLine(' ', 'Base URL', demo.base_url));
  terminal.print(stepLine(' ', 'demo.json', demoPath));
  terminal.print(stepLine(' ', 'API key', keyText));
  terminal.print();
  terminal.print('  Place the next call:');
  terminal.print();
  for (const line of curlLines({ demo, agentId, apiKey: isNewKey ? demo.api_key : undefined, demoPath }))
    terminal.print(line);
}

function passwordText(terminal: Terminal, { password }: Demo, isNew: boolean): string {
  if (password === null) return 'the password that you set';
  return isNew ? `${terminal.paint.strong(password)}  (shown this once)` : 'the password in demo.json';
}

/** Ready to paste. Without the key, the command reads it from demo.json, which keeps it out of the scrollback. */
function curlLines({
  demo,
  agentId,
  apiKey,
  demoPath,
}: {
  readonly demo: Demo;
  readonly agentId: AgentId;
  readonly apiKey: string | undefined;
  readonly demoPath: string;
}): readonly string[] {
  const key = apiKey ?? `$(node -p 'require(${JSON.stringify(demoPath)}).api_key')`;
  const body = { to_number: NEXT_CALLEE, agent_id: agentId, from_number: demo.from_number };
  return [
    `curl -s ${demo.base_url}/outbound/calls \\`,
    `  -H "X-API-Key: ${key}" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ];
}
