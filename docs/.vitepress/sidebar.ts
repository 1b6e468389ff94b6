const pages = (folder: string, items: readonly (readonly [text: string, page: string])[]) =>
  items.map(([text, page]) => ({ text, link: `/${folder}${page}` }));

/** Every page but the decision records, in reading order. */
export const guides = [
  {
    text: 'Start',
    items: pages('', [
      ['Your first call', 'start'],
      ['What Outdial does and does not', 'scope'],
    ]),
  },
  {
    text: 'Concepts',
    items: pages('concepts/', [
      ['Call', 'call'],
      ['States', 'states'],
      ['Money', 'money'],
      ['Leases', 'leases'],
      ['Gate', 'gate'],
      ['Crashes', 'crashes'],
    ]),
  },
  {
    text: 'Guides',
    items: pages('guides/', [
      ['Place and follow calls', 'calls'],
      ['Listen to live calls', 'live-calls'],
      ['Later and again', 'later'],
      ['Campaigns', 'campaigns'],
      ['Do-not-call lists', 'do-not-call'],
      ['Calling hours', 'calling-hours'],
      ['TypeScript SDK', 'sdk'],
      ['Client command line', 'client'],
      ['Webhooks', 'webhooks'],
      ['MCP', 'mcp'],
      ['Agents', 'agents'],
      ['Evaluations', 'evaluations'],
      ['Models', 'models'],
      ['Models on your machines', 'local-ai'],
      ['SIP trunks', 'sip-trunks'],
      ['Trunk providers', 'trunk-providers'],
      ['Recordings', 'recordings'],
      ['Dashboard and users', 'users'],
      ['Operating', 'operating'],
      ['Docker', 'docker'],
      ['Growing', 'growing'],
      ['Traces', 'traces'],
      ['Backup', 'backup'],
      ['Upgrading', 'upgrading'],
    ]),
  },
  {
    text: 'Reference',
    items: pages('reference/', [
      ['HTTP API', 'api'],
      ['Ended reasons', 'ended-reasons'],
      ['Errors', 'errors'],
      ['Configuration', 'configuration'],
      ['Command line', 'cli'],
      ['Metrics', 'metrics'],
      ['Log events', 'log-events'],
      ['Test numbers', 'test-numbers'],
    ]),
  },
  {
    text: 'Operations',
    items: pages('', [
      ['Runbook', 'runbook'],
      ['Performance', 'performance'],
    ]),
  },
  {
    text: 'Architecture',
    items: pages('', [
      ['Overview', 'architecture'],
      ['Tests', 'testing'],
      ['Glossary', 'glossary'],
      ['Renamed words', 'renamed-words'],
      ['Writing style', 'style'],
    ]),
  },
];
