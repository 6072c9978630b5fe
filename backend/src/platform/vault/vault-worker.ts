import { serveWrites } from '../sqlite/serve-writes.js';
import { openVaultFile } from './vault-file.js';
import { vaultOperations, type VaultOperations } from './vault-operations.js';

serveWrites<VaultOperations>((file, isReplacement) => {
  const sql = openVaultFile(file, isReplacement);
  return { sql, operations: vaultOperations(sql) };
});
