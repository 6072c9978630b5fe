import { Inject, Injectable } from '@nestjs/common';
import { namelessKey } from '@roughmix/contracts/versions/audio-file-key.js';
import { allSettled } from '../platform/all-settled.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Logger } from '../platform/logger.js';
import { isTransient } from '../platform/reactors/is-transient.js';
import { BLOBS, LOG, VAULT } from '../platform/tokens.js';
import { Uploads } from '../platform/uploads/uploads.js';
import type { Vault } from '../platform/vault/vault.js';

/** Exists once every file has its name of today. Left out of restored vaults: the files of a backup may be older. */
const RENAMED = { name: 'file-names', id: 'removed' } as const;
const PAGE = 500;
/** How many files are moved at once: on S3 each is copied by the server. */
const AT_ONCE = 16;

/** Renames the files of versions that an earlier version stored under the names of the uploaded files, at the start and before anything reads them. */
@Injectable()
export class EarlierFileNames {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOG) private readonly log: Logger,
    private readonly uploads: Uploads,
  ) {}

  /** Like {@link remove}, but a start continues without the file store: everything except files works, and the chore retries. */
  async removeAtStart(): Promise<void> {
    try {
      await this.remove();
    } catch (error) {
      if (!isTransient(error)) throw error;
      this.log.error({ err: error }, 'renaming the files of an earlier version failed; retrying every hour and at the next start');
    }
  }

  /** Does nothing once it is done. A start after a crash completes it. @throws ServiceUnavailable, DiskFull */
  async remove(): Promise<void> {
    await this.vault.declare({ name: RENAMED.name });
    if ((await this.vault.get(RENAMED.name, RENAMED.id)) !== null) return;
    // First, so that an upload whose file is renamed can still be used.
    await this.uploads.renamePlaces(namelessKey);
    let files = 0;
    for await (const keys of this.pages()) {
      const named = keys.filter((key) => namelessKey(key) !== key);
      for (let at = 0; at < named.length; at += AT_ONCE) {
        await allSettled(named.slice(at, at + AT_ONCE).map((key) => () => this.blobs.move(key, namelessKey(key))));
      }
      files += named.length;
    }
    await this.vault.insert(RENAMED.name, RENAMED.id, {});
    if (files > 0) this.log.info({ files }, 'removed the names of uploaded files from their paths');
  }

  private async *pages(): AsyncGenerator<readonly string[]> {
    for (let after = ''; ;) {
      const page = await this.blobs.list('', { after, limit: PAGE });
      yield page;
      const last = page.at(-1);
      if (last === undefined) return;
      after = last;
    }
  }
}
