import { hkdfSync } from 'node:crypto';
import type { Id } from '@roughmix/contracts/shared/ids.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import type { UploadRecord } from './upload-record.js';

const KEY_BYTES = 32;

/** Seals the names of uploaded files in the vault, each bound to its upload. */
export class UploadNames {
  private readonly key: Buffer;

  /** @param installationKey a random key of the installation, from which this one is derived: HKDF-SHA-256 (RFC 5869) */
  constructor(installationKey: Buffer) {
    this.key = Buffer.from(hkdfSync('sha256', installationKey, '', 'roughmix upload names 1', KEY_BYTES));
  }

  seal(uploadId: Id, filename: string): string {
    return encrypt(this.key, contextOf(uploadId), filename);
  }

  /** The name that was sealed; earlier versions stored it as it is. Empty once it was discarded. @throws Error when it was changed or sealed elsewhere */
  open(uploadId: Id, { sealedName = '', filename = '' }: Pick<UploadRecord, 'sealedName' | 'filename'>): string {
    return sealedName === '' ? filename : decrypt(this.key, contextOf(uploadId), sealedName).toString('utf8');
  }
}

const contextOf = (uploadId: Id): string => `upload-${uploadId}`;
