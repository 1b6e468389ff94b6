import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Trap, type TrapPlace } from './trap.ts';
import { Wire } from './wire.ts';

/** The target of a proxy. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Stands between one process and one store, and disturbs their connections as networks do. */
export interface FaultProxy {
  readonly port: number;
  /** Resets every connection. New ones are still accepted. */
  cut(): void;
  /** Resets every connection and refuses new ones, until `heal`. */
  refuse(): void;
  /** Nothing passes either way, and nothing is lost, until `heal`. */
  silence(): void;
  /** Every byte takes that much longer each way, until `heal`. */
  delay(ms: number): void;
  heal(): void;
  /** New connections go there; existing ones are reset. */
  redirect(target: Endpoint): void;
  /** New connections go there; existing ones stay. */
  lead(target: Endpoint): void;
  /** Catches the first match on any connection and holds it. */
  trap(place: TrapPlace): Trap;
  close(): Promise<void>;
}

export async function openFaultProxy(first: Endpoint): Promise<FaultProxy> {
  let target = first;
  let refusing = false;
  let silent = false;
  let delayMs = 0;
  const wires = new Set<Wire>();
  const traps = new Set<Trap>();

  function join(client: Socket): void {
    if (refusing) {
      client.resetAndDestroy();
      return;
    }
    const wire = new Wire(client, connect(target), { traps, delayMs, silent, onClosed: () => wires.delete(wire) });
    wires.add(wire);
  }

  const server = createServer({ noDelay: true }, join);
  await listen(server);
  const cut = () => {
    for (const wire of wires) wire.cut();
  };
  const adjust = () => {
    for (const wire of wires) wire.adjust({ delayMs, silent });
  };

  return {
    port: portOf(server),
    cut,
    refuse() {
      refusing = true;
      cut();
    },
    silence() {
      silent = true;
      adjust();
    },
    delay(ms) {
      delayMs = ms;
      adjust();
    },
    heal() {
      refusing = false;
      silent = false;
      delayMs = 0;
      adjust();
    },
    redirect(endpoint) {
      target = endpoint;
      cut();
    },
    lead: (endpoint) => void (target = endpoint),
    trap(place) {
      const trap: Trap = new Trap(place, () => traps.delete(trap));
      traps.add(trap);
      return trap;
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy listens on a port');
  return address.port;
}
