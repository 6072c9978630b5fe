import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEmail, type ReadEmail } from '../../../backend/src/testing/read-email';
import { eventually } from './journey';
import type { RunningServer } from './server';

/** The newest e-mail to an address with this subject, once the server has written one to its outbox. */
export const emailTo = (server: RunningServer, address: string, subject: string): Promise<ReadEmail> =>
  eventually(async () => {
    const folder = join(server.dataFolder, 'outbox');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).toSorted();
    const emails = await Promise.all(files.map(async (name) => readEmail(await readFile(join(folder, name), 'utf8'))));
    const newest = emails.findLast(({ headers }) => headers['to'] === address && headers['subject'] === subject);
    if (newest === undefined) throw new Error(`no e-mail '${subject}' to ${address}`);
    return newest;
  });

/** The path of the page that an e-mail's link leads to. */
export function linkedPath({ text }: ReadEmail): string {
  const link = /^https?:\/\/\S+$/m.exec(text.replaceAll('\r\n', '\n'))?.[0];
  if (link === undefined) throw new Error(`no link in the e-mail:\n${text}`);
  return new URL(link).pathname;
}
