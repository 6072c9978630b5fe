import ipaddr from 'ipaddr.js';

/** What IANA has assigned for the public IPv6 internet; the rest has special purposes or none yet. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Addresses that a NAT64 gateway translates to the IPv4 address in their last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/**
 * Whether an address belongs to the public internet: not loopback, private, link-local, shared, multicast or reserved, nor a mapped (RFC 4291) or NAT64
 * (RFC 6052) form of such an address. Other transition forms (6to4, Teredo) are refused.
 * @param text an IPv4 or IPv6 address, without brackets
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.parse(text);
  const range = address.range();
  if (address instanceof ipaddr.IPv4) return range === 'unicast';
  if (range === 'unicast') return address.match(GLOBAL_UNICAST);
  if (range === 'ipv4Mapped') return isPublicAddress(address.toIPv4Address().toString());
  return address.match(NAT64) && isPublicAddress(address.toByteArray().slice(-4).join('.'));
}
