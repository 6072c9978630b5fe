import { ServiceUnavailable } from '../platform/store-errors.js';
import { requireEmbedded } from './log-file.js';
import { type Operation, OperationError } from './operation.js';

/** Sweeps the files of a stopped program; a running one sweeps regularly. */
export const filesSweep: Operation = {
  name: 'files sweep',
  about: 'deletes expired uploads, expired trash and abandoned projects without a version while the program is stopped; a running program does so by itself',
  usage: '[--uploads]',
  options: { uploads: { type: 'boolean', default: false } },
  async run(context) {
    requireEmbedded('files sweep', context.config);
    const { config, values } = context;
    // Loaded on demand, because this loads the whole program.
    const { sweepOffline } = await import('./sweep-offline.js');
    const { uploads, projects, folders, failed } = await sweepOffline(config, { all: values.uploads === true }).catch((error: unknown) => {
      throw error instanceof ServiceUnavailable ? new OperationError(`files sweep: ${error.message}; a running program sweeps by itself`) : error;
    });
    await context.print(`swept ${uploads} uploads, ${projects} projects without a version, ${folders} trash folders; ${failed} failed`);
    return failed === 0 ? 0 : 1;
  },
};
