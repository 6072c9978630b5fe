import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { FairQueue, type FairQueueLimits } from '../fair-queue.js';

const WAITING: Omit<FairQueueLimits, 'running'> = {
  waiting: LIMITS.waitingUploads,
  waitingPerPerson: LIMITS.waitingUploadsPerPerson,
  waitMs: LIMITS.uploadWaitSeconds * 1_000,
  refusal: 'upload.busy',
};

/** The wait of uploads before they are read. Take the turn before the file is copied: with files on a server, each copy fills the temporary folder. */
export const uploadQueue = (running: Pick<FairQueueLimits, 'running' | 'runningPerPerson' | 'newcomers'>): FairQueue =>
  new FairQueue({ ...WAITING, ...running });
