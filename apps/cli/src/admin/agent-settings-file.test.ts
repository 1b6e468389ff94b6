import { describe, expect, it } from 'vitest';
import { CliError } from '../cli-error.ts';
import { parseAgentSettings } from './agent-settings-file.ts';

const realtime = {
  driver: 'realtime',
  name: 'Appointment',
  instructions: 'You remind people of a visit.',
  model: { provider: 'openai', model: 'gpt-realtime' },
};

function errorOf(settings: unknown): string {
  try {
    parseAgentSettings(JSON.stringify(settings), 'agent.json');
    return '';
  } catch (error) {
    if (error instanceof CliError) return error.message;
    throw error;
  }
}

describe('a file of settings', () => {
  it('is read for each driver', () => {
    expect(parseAgentSettings(JSON.stringify({ name: 'Plain', first_message: 'Hello.' }), 'agent.json').driver).toBe(
      'scripted',
    );
    expect(parseAgentSettings(JSON.stringify(realtime), 'agent.json')).toMatchObject({ model: { voice: 'marin' } });
  });

  it('is rejected with each invalid field, in plain words', () => {
    const { instructions: _, ...rest } = realtime;
    expect(errorOf({ ...rest, first_speaker: 'nobody', max_turns: 0, instrctions: 'x' }).split('\n')).toEqual([
      "The agent's settings in agent.json cannot be used:",
      '  instructions: is required',
      '  first_speaker: must be one of agent, callee',
      '  max_turns: must be at least 1',
      '  instrctions: is not a known field: remove it or fix its name',
    ]);
  });

  it('is rejected with an unknown driver, and with a JSON Schema that cannot be used', () => {
    expect(errorOf({ ...realtime, driver: 'telepathy' })).toContain('  driver: ');
    const parameters = { type: 'object', properties: { day: { type: 'date' } } };
    const tool = { type: 'http', name: 'slots', description: 'Finds slots.', url: 'https://example.com', parameters };
    expect(errorOf({ ...realtime, tools: [tool] })).toContain('  tools.0.parameters.properties.day: ');
  });

  it('is rejected with an MCP server, which only the API asks for its tools', () => {
    const source = { type: 'mcp', name: 'crm', url: 'https://example.com/mcp' };
    expect(errorOf({ ...realtime, tools: [source] })).toContain('  tools.0.type: must not be mcp: save this agent in');
  });

  it('is rejected if it is no object', () => {
    expect(errorOf([])).toContain('  the settings: must be a JSON object');
  });
});
