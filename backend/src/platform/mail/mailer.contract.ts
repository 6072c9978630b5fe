import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreAway } from '../store-errors.js';
import type { Mailer } from './mailer.js';

/** A place of its own for one test; `received` gives the letters as they would be delivered (RFC 5322), a letter sent twice once or twice with one Message-ID. */
export interface MailerPlace {
  readonly open: () => Promise<Mailer>;
  readonly received: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

/** What every mailer promises; each adapter's spec calls it with a fresh place per test. Letters come from `Roughmix <mail@roughmix.example>`. */
export function mailerContract(name: string, fresh: () => Promise<MailerPlace>): void {
  describe(`${name} as a mailer`, () => {
    let place: MailerPlace;
    let mailer: Mailer;
    const letter = { to: 'ana@example.org', subject: 'Reset your password', text: 'Open this:\nhttps://roughmix.example/passwordReset/abc\n', key: 'reset-1' };

    beforeEach(async () => {
      place = await fresh();
      mailer = await place.open();
    });
    afterEach(async () => {
      await mailer.close();
      await place.remove();
    });

    test('a letter is in safe hands when sending resolves', async () => {
      await mailer.send(letter);
      const [received = '', ...more] = await place.received();
      expect(more).toEqual([]);
      for (const line of [
        'From: Roughmix <mail@roughmix.example>',
        'To: ana@example.org',
        'Subject: Reset your password',
        'Message-ID: <reset-1@roughmix.example>',
      ]) {
        expect(received.split('\r\n')).toContain(line);
      }
      expect(received.split('\r\n\r\n')[1]?.trim()).toBe(letter.text.trim().replace('\n', '\r\n'));
    });

    test('sending a letter twice can be recognised by its Message-ID, also for keys of any form', async () => {
      const key = '../a key: with / everything\r\nX: y';
      for (let times = 0; times < 2; times++) await mailer.send({ ...letter, key });
      await mailer.send({ ...letter, key: `${key}!` });
      const ids = (await place.received()).map((received) => /^Message-ID:\s+(<[\w.-]+@roughmix\.example>)\r$/m.exec(received)?.[1]);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(2);
    });

    test('a subject cannot bring headers of its own, and any script arrives', async () => {
      await mailer.send({ ...letter, subject: 'Hi\r\nBcc: eve@example.org', text: 'Ünï 🎸' });
      const [received = ''] = await place.received();
      expect(received).not.toMatch(/^Bcc:/im);
      expect(received).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/im);
    });

    test.each(['', 'ana', 'ana@example.org, eve@example.org', 'Ana <ana@example.org>', 'ana@example.org\r\nBcc: eve@example.org'])(
      '%j is not one address and is refused for good',
      async (to) => {
        await expect(mailer.send({ ...letter, to })).rejects.toMatchObject({ name: 'LetterRefused' });
        expect(await place.received()).toEqual([]);
      },
    );

    test('a closed mailer says that it is away', async () => {
      await mailer.close();
      await expect(mailer.send(letter)).rejects.toThrow(StoreAway);
    });
  });
}
