import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { LegDialog } from '@outdial/calls';
import { afterEach, describe, expect, it } from 'vitest';
import { openNetwork } from '../../test/network.ts';
import { pathOf } from './switchboard.ts';

const DIALLER = fileURLToPath(new URL('../../test/dial-and-stay.ts', import.meta.url));

const running = new Set<ChildProcess>();
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Another process with a leg that is up. */
async function openDialler() {
  const child = spawn(process.execPath, ['--conditions=@outdial/source', '--import=tsx', DIALLER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const exit = once(child, 'exit').finally(() => running.delete(child));
  const [line] = await once(child.stdout, 'data');
  const dialog: LegDialog = JSON.parse(String(line));
  return { child, dialog, exit };
}

const endOrphan = (dialog: LegDialog) => openNetwork().carrier.endOrphan(dialog);

describe('the leg of another process', { timeout: 60_000 }, () => {
  it('is ended by that process, and is gone then', async () => {
    const { child, dialog } = await openDialler();
    const left = once(child.stdout, 'data');
    expect(await endOrphan(dialog)).toBe('gone');
    expect(String(await left)).toContain('left');
  });

  it('that already ended is gone', async () => {
    const { dialog } = await openDialler();
    expect(await endOrphan({ ...dialog, leg: 'another' })).toBe('gone');
  });

  it('may be up while the process is stopped, and is gone once it is dead', async () => {
    const { child, dialog, exit } = await openDialler();
    child.kill('SIGSTOP');
    expect(await endOrphan(dialog)).toBe('unknown');
    child.kill('SIGKILL');
    await exit;
    expect(await endOrphan(dialog)).toBe('gone');
  });

  it('stays up when a process asks for another leg and dies before it reads the answer', async () => {
    const { child, dialog, exit } = await openDialler();
    const impatient = connect(pathOf(String(dialog['socket'])));
    // The answer stays unread in the system: it breaks the connection when this end closes.
    impatient.pause();
    impatient.write('another\n');
    expect(await endOrphan({ ...dialog, leg: 'a third' })).toBe('gone');
    impatient.destroy();
    await once(impatient, 'close');
    const left = once(child.stdout, 'data').then(() => 'left');
    expect(await endOrphan(dialog)).toBe('gone');
    expect(await Promise.race([left, exit.then(() => 'died')])).toBe('left');
  });

  it('may be up on another machine, which cannot be asked', async () => {
    const { dialog } = await openDialler();
    expect(await endOrphan({ ...dialog, host: 'another' })).toBe('unknown');
  });
});
