import { expect, test } from '@jest/globals';
import { smtpReceiver, smtpServer } from '../../testing/smtp-receiver.js';
import { mailerContract } from './mailer.contract.js';
import { SmtpMailer } from './smtp-mailer.js';

const from = 'Roughmix <mail@roughmix.example>';
const email = { to: 'ana@example.org', subject: 'One', text: 'first', key: 'k1', date: 1_700_000_000_000 };
const timeouts = { connection: 300, greeting: 300, socket: 300 };

mailerContract('an SMTP server', async () => {
  const receiver = await smtpReceiver();
  return {
    open: async () => new SmtpMailer({ url: receiver.url, from }),
    received: async () => receiver.received,
    remove: () => receiver.stop(),
  };
});

test.each([
  ['550 no such person', 'EmailRefused', 'the mail server refused the e-mail (550)'],
  ['451 try again later', 'ServiceUnavailable', 'the mail server did not accept the e-mail (EENVELOPE)'],
])('the reply %j to a recipient throws %s', async (reply, name, message) => {
  const receiver = await smtpReceiver(reply);
  const mailer = new SmtpMailer({ url: receiver.url, from });
  await expect(mailer.send(email)).rejects.toMatchObject({ name, message });
  await mailer.close();
  await receiver.stop();
});

test('a server that sends no greeting, does not reply or does not exist is reported as unavailable within the timeout', async () => {
  const silent = await smtpServer(() => undefined);
  const greeting = await smtpServer((socket) => socket.write('220 hello\r\n'));
  for (const url of [silent.url, greeting.url, 'smtp://127.0.0.1:1']) {
    const mailer = new SmtpMailer({ url, from, timeouts });
    await expect(mailer.send(email)).rejects.toMatchObject({ name: 'ServiceUnavailable' });
    await mailer.close();
  }
  await silent.stop();
  await greeting.stop();
});
