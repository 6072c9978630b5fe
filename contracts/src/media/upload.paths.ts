/** Where a file is announced. */
export const UPLOAD_PATH = '/api/storage/uploads';
