/** A server of one test, which may stop, hang and kill it. Its URL stays the same. */
export interface PrivateServer {
  readonly url: string;
  /** Stops it gracefully, with its data saved. */
  stop(): Promise<void>;
  /** Ends it as a power cut would. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`. Resolves when it answers. */
  start(): Promise<void>;
  /** Makes it hang: connections stay open, the kernel accepts new ones, and nothing is answered. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it for good and removes its data. */
  close(): Promise<void>;
}

/** What differs between the kinds of servers. */
export interface ServerHandle {
  readonly url: string;
  stop(): Promise<void>;
  kill(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}

/** Manages a server across its restarts; `launch` starts it in the same folder each time. */
export async function privateServer(
  launch: () => Promise<ServerHandle>,
  removeData: () => Promise<void>,
): Promise<PrivateServer> {
  let running: ServerHandle | undefined = await launch();
  const { url } = running;
  const current = (): ServerHandle => {
    if (!running) throw new Error('This private server is stopped: call start() first.');
    return running;
  };
  const end = async (how: 'stop' | 'kill') => {
    const server = current();
    running = undefined;
    await server[how]();
  };
  return {
    url,
    stop: () => end('stop'),
    kill: () => end('kill'),
    async start() {
      if (running) throw new Error('This private server is already running.');
      running = await launch();
      if (running.url !== url) throw new Error(`The private server's port was taken while it was down (${url}).`);
    },
    pause: () => current().pause(),
    resume: () => current().resume(),
    async close() {
      if (running) await end('stop');
      await removeData();
    },
  };
}
