import type { Document } from '../documents/documents.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import { derivedKey } from '../personal-data/derived-key.js';
import type { EmailRecord, SealedParts } from './email-records.js';

/** Seals the receiver and the text of e-mails in the vault, each bound to its record. */
export class EmailSeal {
  private readonly key: Buffer;

  /** @param installationKey a random key of the installation, from which this one is derived */
  constructor(installationKey: Buffer) {
    this.key = derivedKey(installationKey, 'roughmix e-mails 1');
  }

  /** The record as the vault stores it. */
  seal(id: string, record: EmailRecord): Document {
    if (record.state === 'sent') return record;
    const { to, ...rest } = record;
    const sealedTo = encrypt(this.key, receiverOf(id), to);
    if (rest.state === 'undelivered') return { ...rest, sealedTo };
    const { replyTo, subject, text, html, unsubscribe, reminder, key, ...attempts } = rest;
    const content = { replyTo, subject, text, html, unsubscribe, reminder, key };
    return { ...attempts, sealedTo, sealedContent: encrypt(this.key, contentOf(id), JSON.stringify(content)) };
  }

  /** The record that was sealed; earlier versions stored it as it is. @throws Error when it was changed or sealed elsewhere */
  open<Kind extends EmailRecord>(id: string, stored: Document): Kind {
    const { sealedTo, sealedContent, ...rest } = stored as SealedParts & Document;
    const receiver = sealedTo === undefined ? {} : { to: decrypt(this.key, receiverOf(id), sealedTo).toString('utf8') };
    const content = sealedContent === undefined ? {} : (JSON.parse(decrypt(this.key, contentOf(id), sealedContent).toString('utf8')) as object);
    return { ...rest, ...receiver, ...content } as Kind;
  }
}

const receiverOf = (id: string): string => `email-to-${id}`;
const contentOf = (id: string): string => `email-content-${id}`;
