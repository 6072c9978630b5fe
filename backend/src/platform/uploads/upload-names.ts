import type { Id } from '@roughmix/contracts/shared/ids.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import { derivedKey } from '../personal-data/derived-key.js';
import type { UploadRecord } from './upload-record.js';

/** Seals the names of uploaded files in the vault, each bound to its upload. */
export class UploadNames {
  private readonly key: Buffer;

  /** @param installationKey a random key of the installation, from which this one is derived */
  constructor(installationKey: Buffer) {
    this.key = derivedKey(installationKey, 'roughmix upload names 1');
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
