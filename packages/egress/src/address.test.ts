import { assert, ipV4, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isInNetworks, isPublicAddress, parseNetwork } from './address.ts';

/** An address of each block of IANA's special-purpose registries for IPv4 and IPv6, and what attackers write instead. */
const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.255.0.3 169.254.169.254 172.16.0.1 192.0.0.8 192.0.2.1
  192.31.196.1 192.52.193.1 192.88.99.1 192.168.1.1 192.175.48.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1
  239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1
  ::ffff:0:127.0.0.1 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 100::1 2001::1 2001:2::1 2001:db8::1 2002:808:808::1
  3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 4000::1 example.com 8.8.8 8.8.8.8.8
  8.8.8.8%eth0 2606:4700::1111%eth0
`
  .trim()
  .split(/\s+/);

describe('an address is on the public internet', () => {
  test.each(['8.8.8.8', '1.1.1.1', '172.15.255.255', '172.32.0.1', '2606:4700::1111', '64:ff9b::8.8.8.8'])(
    'if it is global unicast: %s',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each(NOT_PUBLIC)('otherwise not: %s', (address) => expect(isPublicAddress(address)).toBe(false));

  test('exactly if the IPv4 address that it embeds is', () => {
    assert(
      property(ipV4(), (address) => {
        const expected = isPublicAddress(address);
        expect(isPublicAddress(`::ffff:${address}`)).toBe(expected);
        expect(isPublicAddress(`64:ff9b::${address}`)).toBe(expected);
      }),
    );
  });
});

describe('networks', () => {
  const networks = ['127.0.0.0/8', '10.20.0.7', 'fd00:1::/64'].map((text) => parseNetwork(text) ?? fail(text));

  test.each(['127.0.0.1', '::ffff:127.9.9.9', '10.20.0.7', '64:ff9b::10.20.0.7', 'fd00:1::5'])(
    'contain %s',
    (address) => expect(isInNetworks(address, networks)).toBe(true),
  );
  test.each(['128.0.0.1', '10.20.0.8', 'fd00:2::1', '::1', 'localhost', 'fd00:1::5%eth0'])(
    'do not contain %s',
    (address) => expect(isInNetworks(address, networks)).toBe(false),
  );
  test.each(['10.0.0.0/33', '10.1', '167772161', 'internal.example', '', '10.0.0.0/'])('are not made of %s', (text) =>
    expect(parseNetwork(text)).toBeUndefined(),
  );
});

function fail(text: string): never {
  throw new Error(`${text} is not a network`);
}
