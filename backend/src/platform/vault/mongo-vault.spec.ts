import { describe } from '@jest/globals';
import { freshTestDatabase } from '../../testing/fresh-database.js';
import { MongoVault } from './mongo-vault.js';
import { vaultContract } from './vault.contract.js';

const { MONGO_URL = '' } = process.env;

(MONGO_URL === '' ? describe.skip : describe)('on MONGO_URL', () => {
  vaultContract('MongoDB', async () => freshTestDatabase(MONGO_URL, (parts) => MongoVault.open(parts)), 'several');
});
