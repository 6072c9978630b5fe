import { serveWrites } from '../sqlite/serve-writes.js';
import { openDocumentsFile } from './documents-file.js';
import { documentOperations, type DocumentOperations } from './documents-operations.js';

serveWrites<DocumentOperations>((file) => {
  const { sql, dropped } = openDocumentsFile(file);
  return { sql, operations: documentOperations(sql), dropped };
});
