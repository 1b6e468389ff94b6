/** How the folders of a workspace's `src` depend on each other. */
export interface FolderOrder {
  /**
   * From the bottom up: the files of a folder import from their own folder and from those before it. `.` stands for the
   * files directly in `src`.
   */
  readonly folders: readonly string[];
  /** Files directly in `src` that import from every folder. No file of a folder imports them. */
  readonly joining?: readonly string[];
}

/** Workspaces without an entry are small: the rule against cycles suffices for them. */
export const FOLDER_ORDERS: Readonly<Record<string, FolderOrder>> = {
  'packages/calls': {
    folders: ['.', 'ports', 'trunks', 'lines', 'settle', 'reconcile', 'recordings', 'accept', 'schedule', 'drive'],
    joining: ['index.ts', 'end-call.ts'],
  },
  'packages/sip': {
    folders: ['syntax', 'transport', '.', 'sdp', 'digest', 'dialog', 'transaction', 'core', 'session', 'agent'],
    joining: ['index.ts', 'user-agent.ts'],
  },
  'packages/telephony': {
    folders: ['.', 'media', 'rtp', 'media-thread', 'sip-carrier'],
    joining: ['index.ts'],
  },
  'packages/persistence': {
    folders: [
      'generated',
      'connections',
      'sql',
      '.',
      'retention',
      'transfers',
      'policies',
      'directory',
      'drive',
      'reconcile',
      'read',
      'accept',
      'schedule',
      'suppressions',
      'numbers-csv',
      'recordings',
      'analyses',
      'totals',
      'lines',
      'operations',
      'administration',
      'campaigns',
      'credentials',
      'own-account',
      'webhooks',
      'trunks',
      'tries',
      'evaluations',
      'rates-csv',
      'model-rates-csv',
      'seeding',
    ],
    joining: ['index.ts'],
  },
  'packages/agents': {
    folders: ['.', 'speech', 'hearing', 'transcript', 'scripted', 'model'],
    joining: ['index.ts', 'agents-by-driver.ts'],
  },
  'packages/minds': { folders: ['sound', '.', 'tools', 'realtime', 'cascade', 'text'], joining: ['index.ts'] },
  'packages/simulated-network': { folders: ['.', 'voices', 'personas', 'carrier'], joining: ['index.ts'] },
  'apps/api': {
    folders: ['http', 'live', 'routes', 'dashboard', 'sockets', 'monitors', 'try-sound', 'reference', 'site', '.'],
  },
  'apps/worker': {
    folders: [
      'settings',
      'loops',
      'stores',
      'recordings',
      'tls',
      'trunks',
      'simulated-network',
      'media-thread',
      'model-thread',
      'monitors',
      'instructions',
      'tries',
      'evaluations',
      'consumers',
      'lifecycle',
      'compose',
      '.',
    ],
  },
  'apps/dashboard': { folders: ['shared', 'features', 'app', '.'] },
};
