import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REUSED_THREADS } from '../../testing/reused-threads.js';
import { EmbeddedVault } from '../vault/embedded-vault.js';
import { keyRotationContract } from './key-rotation.contract.js';

keyRotationContract('SQLite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-rotation-'));
  return {
    open: () => EmbeddedVault.open({ file: join(folder, 'vault.db'), threads: REUSED_THREADS }),
    remove: () => rm(folder, { recursive: true }),
  };
});
