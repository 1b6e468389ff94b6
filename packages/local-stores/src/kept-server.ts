import type { ServerEnd, ServerProcess } from './machine/server-process.ts';
import { StoreSetupError } from './machine/setup-error.ts';

/** A server of ours, through its restarts: always from the same folder, always at the same URL. */
export interface KeptServer {
  readonly url: string;
  /** Hears of every end that was not asked for; at once, if it has ended already. */
  onExit(listener: (end: ServerEnd) => void): void;
  /** Starts it again after such an end. Does nothing once it is being stopped. @throws StoreSetupError */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface LaunchedServer {
  readonly url: string;
  readonly process: ServerProcess;
  stop(): Promise<void>;
}

/** Keeps what is known of a server apart from its process, which may be another one tomorrow. */
export function keepServer(name: string, first: LaunchedServer, launch: () => Promise<LaunchedServer>): KeptServer {
  const { url } = first;
  const listeners: ((end: ServerEnd) => void)[] = [];
  let current = first;
  let isWanted = true;
  let restarting: Promise<void> | undefined;

  function listen(listener: (end: ServerEnd) => void, server: LaunchedServer): void {
    const tell = async () => {
      const end = await server.process.ended;
      if (isWanted && server === current) listener(end);
    };
    void tell();
  }

  async function startAgain(): Promise<void> {
    const server = await launch();
    if (server.url !== url) {
      // Who works with the store knows it by this URL alone.
      await server.stop();
      throw new StoreSetupError(
        `The port of ${name}, ${new URL(url).port}, was taken by another program while ${name} was down: start Outdial again.`,
      );
    }
    current = server;
    for (const listener of listeners) listen(listener, server);
  }

  return {
    url,
    onExit(listener) {
      listeners.push(listener);
      listen(listener, current);
    },
    async restart() {
      if (!isWanted) return;
      restarting = startAgain();
      await restarting;
    },
    async stop() {
      isWanted = false;
      // What is being started can only be stopped once it is there.
      await restarting?.catch(() => {});
      await current.stop();
    },
  };
}
