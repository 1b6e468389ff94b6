import type { ServerEnd, ServerProcess } from './machine/server-process.ts';
import { StoreSetupError } from './machine/setup-error.ts';

/** One of our servers across its restarts: always from the same folder, always at the same URL. */
export interface SupervisedServer {
  readonly url: string;
  /** Calls the listener on every unexpected exit; at once if the server has already exited. */
  onExit(listener: (end: ServerEnd) => void): void;
  /** Restarts the server after such an exit. Does nothing once it is being stopped. @throws StoreSetupError */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface LaunchedServer {
  readonly url: string;
  readonly process: ServerProcess;
  stop(): Promise<void>;
}

/** Separates the server from its current process, which a restart replaces. */
export function superviseServer(
  name: string,
  first: LaunchedServer,
  launch: () => Promise<LaunchedServer>,
): SupervisedServer {
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
      // Clients know the store by this URL only, so another port is of no use.
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
      // A starting server can only be stopped once its process exists.
      await restarting?.catch(() => {});
      await current.stop();
    },
  };
}
