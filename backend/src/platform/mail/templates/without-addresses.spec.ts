import { expect, test } from '@jest/globals';
import { withoutAddresses } from './without-addresses.js';

test.each([
  ['Visit https://evil.example/login now', 'Visit [link removed] now'],
  ['see (http://10.0.0.1), ok', 'see ([link removed]), ok'],
  ['HTTPS://Evil.Example', '[link removed]'],
  ['ftp://x and sip://y', '[link removed] and [link removed]'],
  ['a|https://evil.example|b', '[link removed]'],
  ['www.evil.example!', '[link removed]!'],
  ['evil.example/login', '[link removed]'],
  ['10.0.0.1/login', '[link removed]'],
  ['evil.example:8080', '[link removed]'],
  ['evil.example?a', '[link removed]'],
  ['https://evil.exam…', '[link removed]…'],
])('the address in %j is removed', (text, shown) => {
  expect(withoutAddresses(text)).toBe(shown);
});

test.each([
  ['sign in at evil.example.', 'sign in at evil example.'],
  ['evil.example: hello', 'evil example: hello'],
  ['wait...evil.example..what', 'wait...evil example..what'],
  ['(evil.co.uk)', '(evil co uk)'],
  ['eve@evil.example', 'eve@evil example'],
  ['böse.straße', 'böse straße'],
  ['evil.xn--p1ai', 'evil xn--p1ai'],
  ['evil．ｅｘａｍｐｌｅ', 'evil example'],
  ['evil.\u200bexample', 'evil example'],
  ['evil\u00ad.example', 'evil example'],
  ['@ana.tester bounce kick.wav', '@ana tester bounce kick wav'],
])('the name of a host in %j is broken up', (text, shown) => {
  expect(withoutAddresses(text)).toBe(shown);
});

test.each([
  'Due in 15 minutes: Tune the snare @Bob Tester (Low tide)',
  'Louder at 1:02.500, e.g. the 3.5 dB from v1.2 and 24/96',
  'wait... what?!  :-) 1.2.3.4 1/2 ½ and/or',
  'Mix No.5 of 12.10.2026',
])('the text %j stays as it is', (text) => {
  expect(withoutAddresses(text)).toBe(text);
});
