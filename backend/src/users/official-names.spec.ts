import { expect, test } from '@jest/globals';
import { looksOfficial } from './official-names.js';

test.each([
  'support',
  'Admin',
  'ROUGHMIX',
  'billing',
  'Security',
  'help',
  'Help Desk',
  'Roughmix Support',
  'Roughmix-Official',
  'The Security Team',
  'customer.support',
  'no-reply',
  'support24',
  'supp0rt',
  'Bi11ing',
  'BiIIing',
  'аdmin',
  'АDMIN',
  'ѕuрроrt',
  'ｓｕｐｐｏｒｔ',
  'Súpport',
  's u p p o r t',
  'myroughmix',
  'Rοughmix Fan',
  'Rough Mixer',
  '[removed user]',
])('%s looks official', (name) => {
  expect(looksOfficial(name)).toBe(true);
});

test.each([
  'Ana Tester',
  'Support Tester',
  'Admin Lima',
  'Amanda Root',
  'The Team',
  'Service',
  'Helper',
  'Administrix',
  'Rough Mates',
  'Nora Staffa',
  'Adminton',
  '42',
  '🎸',
  '',
])('%j does not', (name) => {
  expect(looksOfficial(name)).toBe(false);
});
