import { StoreAway } from '../platform/store-errors.js';
import { onlyEmbedded } from './log-of.js';
import { type Operation, OperationError } from './operation.js';

/** Sweeps the files of a stopped program; a running one does it by itself. */
export const filesSweep: Operation = {
  name: 'files sweep',
  about:
    'deletes, while the program is stopped, uploads whose hour is over, trash that waited long enough and projects without a version; a running program does so by itself',
  usage: '[--uploads]',
  options: { uploads: { type: 'boolean', default: false } },
  async run(asked) {
    onlyEmbedded('files sweep', asked.config);
    const { config, values } = asked;
    // The whole program is loaded only where it is needed.
    const { sweepOffline } = await import('./sweep-offline.js');
    const { uploads, projects, folders, failed } = await sweepOffline(config, { all: values.uploads === true }).catch((error: unknown) => {
      throw error instanceof StoreAway ? new OperationError(`files sweep: ${error.message}; a running program sweeps by itself`) : error;
    });
    await asked.say(`swept ${uploads} uploads, ${projects} projects without a version, ${folders} folders of the trash; ${failed} could not be swept`);
    return failed === 0 ? 0 : 1;
  },
};
