import { describe } from '@jest/globals';
import { freshTestDatabase } from '../../testing/fresh-database.js';
import { MongoVault } from '../vault/mongo-vault.js';
import { keyRotationContract } from './key-rotation.contract.js';

const { MONGO_URL = '' } = process.env;

(MONGO_URL === '' ? describe.skip : describe)('on MONGO_URL', () => {
  keyRotationContract('MongoDB', async () => freshTestDatabase(MONGO_URL, (parts) => MongoVault.open(parts)));
});
