import { expect, test } from '@jest/globals';
import { routeTarget } from './route-target.js';

const ID = '1234567890123456789012';

test.each<[url: string | undefined, params: Readonly<Record<string, string>>, target: string]>([
  ['/api/comments/:id', { id: ID }, `PUT /api/comments/${ID}`],
  ['/api/users/:uid', { uid: 'ana@example.org' }, 'PUT /api/users/:uid'],
  ['/api/admin/:key/users/:uid/staffRole', { key: ID, uid: ID }, `PUT /api/admin/:key/users/${ID}/staffRole`],
  ['/api/auth/invite/:token', { token: ID }, 'PUT /api/auth/invite/:token'],
  ['/api/admin/:key/*', { key: ID, '*': 'nothing' }, 'PUT /api/admin/:key/*'],
  [undefined, {}, 'PUT *'],
])('%s with %j is %s', (url, params, target) => {
  expect(routeTarget({ method: 'PUT', routeOptions: { url } as never, params })).toBe(target);
});
