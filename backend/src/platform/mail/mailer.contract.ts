import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readEmail } from '../../testing/read-email.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { Mailer } from './mailer.js';

/** An isolated environment for one test. */
export interface MailerFixture {
  readonly open: () => Promise<Mailer>;
  /** The delivered messages (RFC 5322). An e-mail that was sent twice may occur once or twice. */
  readonly received: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

/** What every mailer promises. The sender must be `Roughmix <mail@roughmix.example>`. */
export function mailerContract(name: string, createFixture: () => Promise<MailerFixture>): void {
  describe(`${name} as a mailer`, () => {
    let fixture: MailerFixture;
    let mailer: Mailer;
    const email = {
      to: 'ana@example.org',
      subject: 'Reset your password',
      text: 'Open this:\nhttps://roughmix.example/passwordReset/abc\n',
      key: 'reset-1',
      date: 1_700_000_000_000,
    };

    beforeEach(async () => {
      fixture = await createFixture();
      mailer = await fixture.open();
    });
    afterEach(async () => {
      await mailer.close();
      await fixture.remove();
    });

    test('an e-mail is accepted or on disk when sending resolves', async () => {
      await mailer.send(email);
      const [received = '', ...more] = await fixture.received();
      expect(more).toEqual([]);
      for (const line of [
        'From: Roughmix <mail@roughmix.example>',
        'To: ana@example.org',
        'Subject: Reset your password',
        'Message-ID: <reset-1@roughmix.example>',
      ]) {
        expect(received.split('\r\n')).toContain(line);
      }
      expect(received.split('\r\n\r\n')[1]?.trim()).toBe(email.text.trim().replace('\n', '\r\n'));
    });

    test('text and HTML arrive as alternatives, with the address for replies', async () => {
      const text = 'Ünï 🎸: Choose a new password:\nhttps://roughmix.example/passwordReset/abc\n';
      const html = `<!doctype html>\n<p>Ünï 🎸 ${'a long line '.repeat(20)}</p>\n`;
      await mailer.send({ ...email, text, html, replyTo: 'bob@example.org' });
      const [received = ''] = await fixture.received();
      const { headers, ...parts } = readEmail(received);
      expect({ text: parts.text.replaceAll('\r\n', '\n').trim(), html: parts.html.replaceAll('\r\n', '\n').trim() }).toEqual({
        text: text.trim(),
        html: html.trim(),
      });
      expect(headers).toMatchObject({
        from: 'Roughmix <mail@roughmix.example>',
        to: 'ana@example.org',
        'reply-to': 'bob@example.org',
        subject: 'Reset your password',
        date: 'Tue, 14 Nov 2023 22:13:20 +0000',
        'auto-submitted': 'auto-generated',
        'content-type': expect.stringMatching(/^multipart\/alternative; boundary=/),
      });
    });

    test('only an e-mail that its receiver can turn off says how to do that with one click', async () => {
      const unsubscribe = `https://roughmix.example/api/mail/unsubscribe/digest-${'a-B_3'.repeat(20)}`;
      await mailer.send({ ...email, key: 'digest-1', unsubscribe });
      const [{ headers } = readEmail('')] = (await fixture.received()).map(readEmail);
      expect(headers).toMatchObject({ 'list-unsubscribe': `<${unsubscribe}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
      await mailer.send(email);
      const lists = (await fixture.received()).map((received) => Object.keys(readEmail(received).headers).filter((header) => header.startsWith('list-')));
      expect(lists).toEqual(expect.arrayContaining([[], ['list-unsubscribe', 'list-unsubscribe-post']]));
    });

    test('an e-mail sent twice has one Message-ID, whatever its key contains', async () => {
      const key = '../a key: with / everything\r\nX: y';
      for (let times = 0; times < 2; times++) await mailer.send({ ...email, key });
      await mailer.send({ ...email, key: `${key}!` });
      const ids = (await fixture.received()).map((received) => /^Message-ID:\s+(<[\w.-]+@roughmix\.example>)\r$/m.exec(received)?.[1]);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(2);
    });

    test('a subject cannot inject headers, and Unicode text arrives intact', async () => {
      await mailer.send({ ...email, subject: 'Hi\r\nBcc: eve@example.org', text: 'Ünï 🎸' });
      const [received = ''] = await fixture.received();
      expect(received).not.toMatch(/^Bcc:/im);
      expect(received).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/im);
    });

    test.each(['', 'ana', 'ana@example.org, eve@example.org', 'Ana <ana@example.org>', 'ana@example.org\r\nBcc: eve@example.org'])(
      '%j is not one address and is permanently refused',
      async (to) => {
        await expect(mailer.send({ ...email, to })).rejects.toMatchObject({ name: 'EmailRefused' });
        expect(await fixture.received()).toEqual([]);
      },
    );

    test('an address for replies that is not one address is permanently refused', async () => {
      await expect(mailer.send({ ...email, replyTo: 'bob@example.org, eve@example.org' })).rejects.toMatchObject({ name: 'EmailRefused' });
    });

    test('a closed mailer throws ServiceUnavailable', async () => {
      await mailer.close();
      await expect(mailer.send(email)).rejects.toThrow(ServiceUnavailable);
    });
  });
}
