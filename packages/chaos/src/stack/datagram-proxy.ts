import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { Random } from '../random.ts';

/** Passes datagrams on to a port of loopback and answers back; told to, as a bad network does. */
export interface DatagramProxy {
  readonly port: number;
  /** From now on datagrams are doubled, and late by chance, so that they overtake each other. */
  disturb(random: Random): void;
  /** From now on every datagram is lost, in both directions. */
  silence(): void;
  heal(): void;
  /** How many were late, some of them doubled. */
  disturbed(): number;
  close(): void;
}

const LATEST_MS = 200;
/** Of those that are disturbed at all. */
const DOUBLED_SHARE = 0.5;

export async function openDatagramProxy(targetPort: number): Promise<DatagramProxy> {
  const front = createSocket('udp4');
  front.bind(0, '127.0.0.1');
  await once(front, 'listening');
  const backs = new Map<string, Socket>();
  let random: Random | undefined;
  let disturbed = 0;
  let isSilent = false;
  /** A socket that is closed throws at whoever sends by it. */
  const underWay = new Set<NodeJS.Timeout>();

  /** Sends it once or twice, each after a time of its own. */
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

  /** One socket for each caller: answers find their way back by it. */
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
