import { describe } from '@jest/globals';
import { freshTestDatabase } from '../../testing/fresh-database.js';
import { documentStoreContract } from './documents.contract.js';
import { MongoDocumentStore } from './mongo-document-store.js';

const { MONGO_URL = '' } = process.env;

(MONGO_URL === '' ? describe.skip : describe)('on MONGO_URL', () => {
  documentStoreContract('MongoDB', async () => freshTestDatabase(MONGO_URL, (parts) => MongoDocumentStore.open(parts)), 'several');
});
