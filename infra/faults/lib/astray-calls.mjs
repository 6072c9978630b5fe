import { once } from 'node:events';
import { connect } from 'node:net';
import { Listener } from './socket.mjs';
import { until } from './studio.mjs';

/** Secrets in the wrong places, and invalid addresses. */
export async function secretsAstray({ watched, url, ana, words }) {
  const anonymous = watched(url);
  const user = { email: 'x@example.org', password: words.wrongPassword };
  const ways = [`/api/admin/${words.adminWrong}/users/addUser`, `/api/%61dmin/${words.spelled}/users/addUser`, `//api//admin/${words.doubled}/x`];
  for (const path of [...ways, `/API/ADMIN/${words.upper}/users`, `/api/admin/x%2f${words.admin2}`, `/api/admin/${words.longAddress.repeat(1_500)}/x`]) {
    await anonymous.call('POST', path, user);
  }
  await anonymous.call('PUT', `/api/storage/put/${words.storageToken}`, Buffer.from('x'));
  await anonymous.call('GET', `/passwordReset/${words.resetToken}`);
  await anonymous.call('GET', `/invite/${words.inviteToken}`);
  await anonymous.call('POST', `/api/auth/passwordReset/${words.resetToken}`, { newPassword: words.resetPassword });
  await anonymous.call('POST', `/api/auth/invite/${words.inviteToken}`, {});
  for (const path of ['/unsubscribe', '/api/mail/unsubscribe']) await anonymous.call('GET', `${path}/digest-${words.unsubscribeToken}`);
  await anonymous.call('POST', `/api/mail/unsubscribe/digest-${words.unsubscribeToken.repeat(4)}`, {});
  await anonymous.call('POST', '/api/auth/passwordReset', { email: `${words.refusedEmail}@example.org` });
  await anonymous.must('POST', '/api/auth/passwordReset', { email: `${words.email}@example.org` });
  await anonymous.call('GET', `/api/auth/session?token=${words.resetToken}`);
  for (const authorization of [`Bearer ${words.bearer}`, `Basic ${Buffer.from(`a:${words.basic}`).toString('base64')}`]) {
    await anonymous.call('GET', `/api/projects/${ana.uid}`, undefined, { headers: { authorization } });
  }
  const headers = { cookie: `roughmix_session=${words.cookie}; roughmix_device=${words.cookie}.x.y` };
  await anonymous.call('GET', '/api/auth/session', undefined, { headers });
  const odd = { 'user-agent': words.agent, referer: `http://${words.referer}/`, 'x-forwarded-for': words.forwarded, traceparent: words.trace };
  await ana.call('GET', `/api/projects/${ana.uid}`, undefined, { headers: odd });
  await rawly(url, `GET /\u0001${words.path} HTTP/1.1\r\nHost: ${words.host}\r\n\r\n`);
  await rawly(url, `${words.path} /x\r\n\r\n`);
}

/** Sends text that is not quite HTTP. */
async function rawly(url, text) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.resume().end(text);
  await once(socket, 'close');
}

/** Secrets and words in handshakes and packets of the socket. */
export async function socketsAstray({ watched, url, ana, words, made }) {
  const refused = new Listener(ana, { auth: { token: words.socketToken } });
  await refused.connected().catch(() => undefined);
  refused.close();
  const socket = await new Listener(ana).connected();
  await socket.ask('in-project', { projectId: words.body }).catch(() => undefined);
  await socket.ask('in-project', { projectId: made.projectId, after: words.body, [words.body]: 1 }).catch(() => undefined);
  await socket.ask('login', words.body).catch(() => undefined);
  await socket.ask(words.name, { [words.body]: words.body }, 200).catch(() => undefined);
  socket.socket.io.engine.write(`5${words.packet}`);
  await until('the socket is cut off', () => !socket.socket.connected, 3_000).catch(() => undefined);
  socket.close();
  await watched(url).call('GET', `/socket.io/?EIO=4&transport=polling&t=${words.packet}`);
}
