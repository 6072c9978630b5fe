import { ADMIN_KEY } from './program.mjs';

/** Requests refused in every possible way, each containing a word. */
export async function refusedCalls({ watched, url, ana, bob, guest, stranger, words, made }) {
  const { projectId } = made;
  const comment = (content) => ({ projectId, submission: { content } });
  const anonymous = watched(url);
  const saveNotes = (who, notes) => who.call('PUT', `/api/projects/${projectId}`, { submission: { owner: { notes } } });
  const onUnknownText = { at: 0, removed: 0, inserted: words.conflictingNote, hash: '0'.repeat(64) };
  await saveNotes(ana, { private: onUnknownText });
  await saveNotes(ana, { private: { ...onUnknownText, hash: words.refusedNote } });
  await saveNotes(ana, { private: `${words.refusedNote}${' x'.repeat(40_000)}` });
  await saveNotes(bob, { private: words.refusedNote });
  await ana.call('POST', `/api/collections/${ana.uid}`, { submission: { title: `${words.refusedCollection}${' x'.repeat(80)}` } });
  await bob.call('POST', `/api/collections/${ana.uid}`, { submission: { title: words.refusedCollection } });
  await bob.call('GET', `/api/collections/${bob.uid}`);
  await bob.call('GET', `/api/projects/${projectId}/visitor/${bob.uid}`);
  await ana.call('GET', `/api/projects/${projectId}/visitor/${ana.uid}`);
  await accountCalls({ watched, anonymous, ana, words });
  await ana.call('GET', `/api/users/search?q=${words.query}`);
  await ana.call('POST', '/api/comments', { ...comment('x'), [words.field]: words.field });
  await ana.call('POST', '/api/comments', { projectId, submission: { content: { [words.nested]: [words.nested] } } });
  await ana.call('POST', '/api/comments', comment(`${words.long}${' x'.repeat(6_000)}`));
  await ana.call('POST', '/api/comments', comment(`${words.long}${' x'.repeat(400_000)}`));
  await guest.call('POST', '/api/comments', comment(words.guest));
  await stranger.call('POST', '/api/comments', comment(words.stranger));
  await ana.call('POST', '/api/comments', comment('Once'), { key: 'planted-key' });
  await ana.call('POST', '/api/comments', comment(words.reused), { key: 'planted-key' });
  await ana.call('POST', '/api/comments', Buffer.from(`{"projectId":"${projectId}","submission":{"content":"${words.json}`), {
    headers: { 'content-type': 'application/json' },
  });
  await ana.call('POST', '/api/comments', Buffer.from(`content=${words.formField}`), { headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  await ana.call('GET', `/api/media/${made.versionId}/audio?${words.empty}=1`, undefined, { headers: { range: `bytes=${words.empty}` } });
  const todo = { projectId, submission: { content: words.refusedTodo } };
  await guest.call('POST', '/api/todos', todo);
  await stranger.call('POST', '/api/todos', todo);
  await ana.call('POST', '/api/todos', { projectId, submission: { ...todo.submission, dueDate: 0, reminder: { [words.refusedTodo]: 1 } } });
  await ana.call('POST', '/api/todos', { projectId, submission: { ...todo.submission, dueDate: 0, reminder: { '1 hour before': 1 } } });
  await notAudio({ watched, ana, projectId, word: words.notAudio });
}

/** Passwords, addresses and searches of accounts; the change of Cara's password succeeds. */
async function accountCalls({ watched, anonymous, ana, words }) {
  await anonymous.call('POST', '/api/auth/login', { email: `${words.unknownEmail}@example.org`, password: words.wrongPassword });
  await anonymous.call('POST', '/api/auth/login', { email: `${words.email}@example.org`, password: words.wrongPassword });
  await anonymous.call('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, { email: `${words.refusedEmail} at nowhere`, password: words.refusedPassword });
  await anonymous.call('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, { email: `${words.refusedEmail}@example.org`, password: `${words.refusedPassword} x` });
  await ana.call('POST', '/api/auth/password', { currentPassword: words.wrongPassword, newPassword: words.refusedPassword });
  const cara = { email: 'cara@example.org', password: 'reef-and-tide-4711' };
  await anonymous.must('POST', `/api/admin/${ADMIN_KEY}/users/addUser`, cara);
  const { headers, body } = await anonymous.call('POST', '/api/auth/login', cara);
  const [, token] = /roughmix_session=([^;]+)/.exec(String(headers['set-cookie']));
  await anonymous.must('PUT', `/api/admin/${ADMIN_KEY}/users/${body.user.uid}/staffRole`, { staffRole: 'admin' });
  const admin = watched(anonymous.url, token);
  await admin.must('GET', `/api/staff/accounts?q=${words.query}`);
  await ana.call('GET', `/api/staff/accounts?q=${words.query}`);
  await admin.must('POST', '/api/auth/visit', { href: `/${words.path}/projects/${words.query}?${words.query}` });
  await anonymous.call('POST', `/api/admin/${ADMIN_KEY}/users/getUserInfo`, { uid: `${words.unknownEmail}@example.org` });
  await admin.must('POST', '/api/auth/password', { currentPassword: cara.password, newPassword: words.resetPassword });
}

async function notAudio({ watched, ana, projectId, word }) {
  const text = Buffer.from(`${word} is no sound. `.repeat(200));
  const { uploadId, url, headers } = await ana.must('POST', '/api/storage/uploads', {
    purpose: 'version',
    filename: 'a.wav',
    contentType: 'audio/wav',
    size: text.length,
    projectId,
  });
  await watched(ana.url).must('PUT', url, text, { headers });
  await ana.call('POST', '/api/media', { submission: { projectId, uploadId, tinySummary: 'x', updateType: 'minor' } });
}
