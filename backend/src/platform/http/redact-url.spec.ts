import { expect, test } from '@jest/globals';
import { redactUrl } from './redact-url.js';

test.each([
  ['/api/admin/the-secret-key/users/addUser', '/api/admin/***/users/addUser'],
  ['/api/admin/the-secret-key', '/api/admin/***'],
  ['/api/%61dmin/the-secret-key/x', '/api/admin/***/x'],
  ['/API/Admin/the-secret-key/x', '/API/Admin/***/x'],
  ['/api/admin/the%2Fsecret/x', '/api/admin/***/x'],
  ['/api/admin//the-secret-key/x', '/api/admin/***/x'],
  ['//api//admin/the-secret-key/x', '//api//admin/***/x'],
  ['/api%2Fadmin%2Fthe-secret-key', '/api%2Fadmin/***'],
  ['http://any.example/api/admin/the-secret-key/x', 'http://any.example/api/admin/***/x'],
  ['/api/admin/%ff/x', '***'],
  ['/api/auth/passwordReset/token', '/api/auth/passwordReset/***'],
  ['/passwordReset/token?x=1', '/passwordReset/***'],
  ['/api/auth/invite/token', '/api/auth/invite/***'],
  ['/invite/token#x', '/invite/***#x'],
  ['/api/mail/unsubscribe/digest-token', '/api/mail/unsubscribe/***'],
  ['/unsubscribe/digest-token?x=1', '/unsubscribe/***'],
  ['/api/inviteRequests/id/decline', '/api/inviteRequests/id/decline'],
  ['/api/storage/put/claims.signature', '/api/storage/put/***'],
  ['/api/storage/uploads', '/api/storage/uploads'],
  ['/api/users/search?q=ana', '/api/users/search'],
  ['/api/projects/%41na', '/api/projects/%41na'],
])('%s is shown as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});
