import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Random } from '../random.ts';

/** Relays datagrams to a port of loopback and answers back; on demand, as a bad network does. */
export interface DatagramProxy {
  readonly port: number;
  /** From now on datagrams are duplicated and randomly delayed, so that they overtake each other. */
  disturb(random: Random): void;
  /** From now on every datagram is lost, in both directions. */
  silence(): void;
  heal(): void;
  /** How many were delayed, some of them duplicated. */
  disturbed(): number;
  close(): void;
}

const LATEST_MS = 200;
/** Of the disturbed datagrams. */
const DOUBLED_SHARE = 0.5;

export async function openDatagramProxy(targetPort: number): Promise<DatagramProxy> {
  const front = createSocket('udp4');
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  const backs = new Map<string, Socket>();
  let random: Random | undefined;
  let disturbed = 0;
  let isSilent = false;
  /** A closed socket throws on send, so pending sends are cancelled. */
  const underWay = new Set<NodeJS.Timeout>();

  /** Sends it once or twice, each after its own delay. */
  function pass(send: () => void): void {
    if (isSilent) return;
    if (!random) {
      send();
      return;
    }
    disturbed += 1;
    passLate(send, random.integer(0, LATEST_MS));
    if (random.unit() < DOUBLED_SHARE) passLate(send, random.integer(0, LATEST_MS));
  }

  function passLate(send: () => void, lateMs: number): void {
    const timer = setTimeout(() => {
      underWay.delete(timer);
      send();
    }, lateMs);
    underWay.add(timer);
  }

  /** One socket per caller, so that answers find their way back. */
  function backFor(caller: RemoteInfo): Socket {
    const name = `${caller.address}:${caller.port}`;
    const known = backs.get(name);
    if (known) return known;
    const back = createSocket('udp4');
    back.on('message', (datagram) => pass(() => front.send(datagram, caller.port, caller.address)));
    backs.set(name, back);
    return back;
  }

  front.on('message', (datagram, caller) => {
    pass(() => backFor(caller).send(datagram, targetPort, '127.0.0.1'));
  });

  return {
    port: front.address().port,
    disturb(source) {
      random = source;
    },
    silence() {
      isSilent = true;
    },
    heal() {
      random = undefined;
      isSilent = false;
    },
    disturbed: () => disturbed,
    close() {
      for (const timer of underWay) clearTimeout(timer);
      front.close();
      for (const back of backs.values()) back.close();
    },
  };
}
