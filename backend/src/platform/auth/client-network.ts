import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const SITE_GROUPS = 3;
const IPV4_PARTS = 4;

/**
 * The network that is throttled as one client: an IPv4 address, or the /64 of an IPv6 address, which one subscriber usually has to themselves.
 * @param address missing if the client disconnected before its request was handled: all such clients count as one
 */
export function networkOf(address: string | undefined): string {
  const bare = address?.split('%')[0] ?? '';
  if (!isIPv6(bare)) return bare;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare);
  if (mapped?.[1] !== undefined) return mapped[1];
  const groups = groupsOf(bare);
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The /48 of an IPv6 address, of which one customer can have all /64s; null for an IPv4 address. @param address as for {@link networkOf} */
export function siteOf(address: string | undefined): string | null {
  const network = networkOf(address);
  return network.endsWith('::/64') ? `${network.split(':').slice(0, SITE_GROUPS).join(':')}::/48` : null;
}

/** The neighbourhood of an address that shares an account's attempts: the /24 of an IPv4 address, the /64 of an IPv6 address. */
export function subnetOf(address: string): string {
  const network = networkOf(address);
  const parts = network.split('.');
  return parts.length === IPV4_PARTS ? `${parts.slice(0, IPV4_PARTS - 1).join('.')}.0/24` : network;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  return [...before, ...Array.from({ length: GROUPS - before.length - after.length }, () => '0'), ...after];
}
