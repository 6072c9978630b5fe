import { expect, test } from '@jest/globals';
import { isPublicAddress } from './public-address.js';

test.each(['93.184.215.14', '8.8.8.8', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each([
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['loopback', '::1'],
  ['unspecified', '0.0.0.0'],
  ['unspecified', '::'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['unique local', 'fc00::1'],
  ['unique local', 'fd12:3456::1'],
  ['link-local', '169.254.169.254'],
  ['link-local', 'fe80::1'],
  ['shared', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['reserved', '192.0.0.1'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['documentation', '2001:db8::1'],
  ['benchmarking', '198.18.0.1'],
  ['mapped loopback', '::ffff:127.0.0.1'],
  ['mapped loopback', '::ffff:7f00:1'],
  ['mapped private', '::ffff:192.168.0.1'],
  ['NAT64 of loopback', '64:ff9b::7f00:1'],
  ['NAT64 of the metadata service', '64:ff9b::a9fe:a9fe'],
  ['NAT64 of private', '64:ff9b::10.0.0.1'],
  ['local NAT64', '64:ff9b:1::808:808'],
  ['compatible', '::127.0.0.1'],
  ['6to4 of loopback', '2002:7f00:1::'],
  ['6to4', '2002:808:808::'],
  ['Teredo', '2001::1'],
  ['discard', '100::1'],
  ['site-local', 'fec0::1'],
  ['no address', 'example.org'],
  ['no address', ''],
])('%s is not public: %s', (_range, address) => {
  expect(isPublicAddress(address)).toBe(false);
});
