import { serveWrites } from '../sqlite/serve-writes.js';
import { openDocumentsFile } from './documents-file.js';
import { documentOperations, type DocumentOperations } from './documents-operations.js';

serveWrites<DocumentOperations>((file, isReplacement) => {
  const { sql, dropped } = openDocumentsFile(file, isReplacement);
  return { sql, operations: documentOperations(sql), dropped };
});
