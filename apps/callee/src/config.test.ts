import { readFile } from 'node:fs/promises';
import { EnvError } from '@outdial/kernel';
import { personaAt, TEST_NUMBERS } from '@outdial/simulated-network';
import { describe, expect, it } from 'vitest';
import { calleeEnv, readConfig } from './config.ts';
import { dialledNumber } from './number-table.ts';

describe('the configuration', () => {
  it('needs no variable, and listens on loopback outside of the ephemeral ports', () => {
    const config = readConfig({});
    expect(config.OUTDIAL_CALLEE_ADDRESS).toBe('127.0.0.1');
    const { firstPort, lastPort } = config.OUTDIAL_CALLEE_RTP_PORTS;
    for (const port of [config.OUTDIAL_CALLEE_SIP_PORT, firstPort, lastPort]) expect(port).toBeLessThan(32_768);
  });

  it('puts other personas behind the numbers, and leaves the rest unassigned', () => {
    const table = readConfig({ OUTDIAL_CALLEE_TABLE: '{"+12025550100":"busy"}' }).OUTDIAL_CALLEE_TABLE;
    expect([...(table ?? [])].map(([number, { name }]) => [number, name])).toEqual([['+12025550100', 'busy']]);
    expect(personaAt(table ?? TEST_NUMBERS, '+12025550101').name).toBe('unassigned');
  });

  it.each([
    ['OUTDIAL_CALLEE_TABLE', 'busy', /JSON object/],
    ['OUTDIAL_CALLEE_TABLE', '["+12025550100"]', /JSON object/],
    ['OUTDIAL_CALLEE_TABLE', '{"0100":"busy"}', /"0100" is not an E\.164 number/],
    ['OUTDIAL_CALLEE_TABLE', '{"+12025550100":"bussy"}', /"bussy": use one of friendly, busy/],
    ['OUTDIAL_CALLEE_TABLE', '{"+12025550100":1}', /names 1: use one of/],
    ['OUTDIAL_CALLEE_ADDRESS', '0.0.0.0', /not 0\.0\.0\.0/],
    ['OUTDIAL_CALLEE_ADDRESS', 'localhost', /IPv4 address/],
    ['OUTDIAL_CALLEE_SIP_PORT', '70000', /65535/],
    ['OUTDIAL_CALLEE_RTP_PORTS', '22001-22999', /even first port/],
    ['OUTDIAL_CALLEE_RTP_PORTS', '23000-22000', /higher last port/],
    ['OUTDIAL_CALLEE_RTP_PORTS', '22000', /such as 22000-23999/],
    ['OUTDIAL_CALLEE_HOLD', 'muted', /sendonly/],
    ['OUTDIAL_CALLEE_PASSWORD', 'alone', /Set both/],
    ['OUTDIAL_CALLEE_USER', 'alone', /Set both/],
    ['OUTDIAL_CALLEE_TLS_PORT', '5061', /Set all/],
    ['OUTDIAL_CALLEE_TLS_KEY', 'key.pem', /Set all/],
  ])('rejects %s=%s by name', (name, value, reason) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(EnvError);
    expect(read).toThrow(reason);
    expect(read).toThrow(name);
  });
});

describe('a dialed number', () => {
  it.each([
    ['+12025550100', '+12025550100'],
    ['12025550100', '+12025550100'],
    ['+1 (202) 555-0100', '+12025550100'],
    ['alice', 'alice'],
    ['+1+2', '+1+2'],
    ['', ''],
    [null, ''],
  ])('written as %j means %j', (user, number) => {
    expect(dialledNumber(user)).toBe(number);
  });
});

const readReadme = () => readFile(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has every variable and no other', async () => {
    const named = [...(await readReadme()).matchAll(/^\| `([A-Z_]+)`/gm)].map((match) => match[1]);
    expect(named).toEqual(Object.keys(calleeEnv));
  });

  it('has every test number with the name of its persona', async () => {
    const rows = [...(await readReadme()).matchAll(/^\| (01\d\d) +\| `(\w+)`/gm)];
    const table = rows.map(([, digits, name]) => [`+1202555${digits}`, name]);
    expect(table).toEqual([...TEST_NUMBERS].map(([number, { name }]) => [number, name]));
  });
});
